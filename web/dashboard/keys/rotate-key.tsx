import { useState } from "preact/hooks";
import type { CreatedKeyView, KeyView } from "../../../apps/dashboard/routes/keys.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Failed } from "../../ui/states.tsx";
import { NewKey } from "./new-key.tsx";
import { useDialogRequest } from "./use-dialog-request.ts";

const OVERLAPS = [
  [0, "It stops working now"],
  [3600, "For 1 hour more"],
  [86_400, "For 24 hours more"],
  [604_800, "For 7 days more"],
] as const;

/** Asks how long the old key keeps working, creates its successor and shows it. */
export function RotateKey({ old, close }: { old: KeyView; close: () => void }) {
  const [overlap, setOverlap] = useState<number>(86_400);
  const { send, sending, error, result } = useDialogRequest<CreatedKeyView>();
  const rotate = (event: Event) => {
    event.preventDefault();
    void send(`/keys/${old.id}/rotate`, { overlap_seconds: overlap });
  };
  return (
    <Dialog title={result ? "Your new key" : "Rotate the key"} close={close} busy={sending || result !== undefined}>
      {result ? (
        <NewKey secret={result.key} close={close}>
          <p>
            {overlap === 0
              ? `The old key “${old.name}” no longer works.`
              : "The old key keeps working for a while. The list shows until when."}
          </p>
        </NewKey>
      ) : (
        <form class="stack" onSubmit={rotate}>
          {error && <Failed error={error} />}
          <p>
            A new key takes the place of <b>{old.name}</b>, with the same name and expiry.
          </p>
          <fieldset class="choices">
            <legend>How long does the old key work?</legend>
            {OVERLAPS.map(([seconds, text]) => (
              <label key={seconds}>
                <input
                  type="radio"
                  name="overlap"
                  value={seconds}
                  checked={overlap === seconds}
                  onChange={() => setOverlap(seconds)}
                />
                {text}
              </label>
            ))}
          </fieldset>
          <div class="row end">
            <button type="button" class="button" onClick={close} disabled={sending}>
              Cancel
            </button>
            <button type="submit" class="button primary" disabled={sending}>
              Rotate the key
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
