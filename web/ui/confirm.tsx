import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import type { RequestFailed } from "./request.ts";
import { Failed } from "./states.tsx";

/** Asks before something is done, does it, and says when that failed. */
export function Confirm({
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
  /** A form's fields get a function that says what is wrong with a parameter. */
  children: ComponentChildren | ((problemOf: (parameter: string) => string | undefined) => ComponentChildren);
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<RequestFailed>();
  const confirm = async (event: Event) => {
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
  const problemOf = (parameter: string) => (error?.parameter === parameter ? error.message : undefined);
  return (
    <Dialog title={title} close={close} busy={busy}>
      <form class="stack" onSubmit={(event) => void confirm(event)}>
        {typeof children === "function" ? children(problemOf) : children}
        {error && !(typeof children === "function" && error.parameter !== undefined) && <Failed error={error} />}
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
