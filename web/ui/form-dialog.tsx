import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import type { RequestFailed } from "./request.ts";
import { Failed } from "./states.tsx";

/** Says what is wrong with a parameter. An error of a parameter that no field asks for is shown below the fields. */
type ProblemOf = (parameter: string) => string | undefined;

/** Asks before something is done, does it, and says when that failed. */
export function FormDialog({
  title,
  action,
  danger = false,
  ready = true,
  run,
  close,
  children,
}: {
  title: string;
  /** The text of the button. */
  action: string;
  danger?: boolean;
  /** Whether the button can be pressed. */
  ready?: boolean;
  run: () => Promise<void>;
  close: () => void;
  children: ComponentChildren | ((problemOf: ProblemOf) => ComponentChildren);
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<RequestFailed>();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy || !ready) return;
    setBusy(true);
    setError(undefined);
    try {
      await run();
    } catch (failed) {
      setError(failed as RequestFailed);
    }
    setBusy(false);
  };
  const ofFields = new Set<string | undefined>();
  const problemOf: ProblemOf = (parameter) => {
    ofFields.add(parameter);
    return error?.parameter === parameter ? error.message : undefined;
  };
  const fields = typeof children === "function" ? children(problemOf) : children;
  return (
    <Dialog title={title} close={close} busy={busy}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        {fields}
        {error && !ofFields.has(error.parameter) && <Failed error={error} />}
        <div class="row end">
          <button type="button" class="button" onClick={close} disabled={busy}>
            Cancel
          </button>
          <button type="submit" class={`button ${danger ? "danger" : "primary"}`} disabled={busy || !ready}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
