import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog.tsx";
import { Failed } from "./states.tsx";
import { useAttempt } from "./use-attempt.ts";

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
  const { busy, failed, attempt } = useAttempt();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!busy && ready) await attempt(run);
  };
  const ofFields = new Set<string | undefined>();
  const problemOf: ProblemOf = (parameter) => {
    ofFields.add(parameter);
    return failed?.parameter === parameter ? failed.message : undefined;
  };
  const fields = typeof children === "function" ? children(problemOf) : children;
  return (
    <Dialog title={title} close={close} busy={busy}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        {fields}
        {failed && !ofFields.has(failed.parameter) && <Failed error={failed} />}
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
