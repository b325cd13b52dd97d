import { useState } from "preact/hooks";
import type { CreatedKeyView } from "../data.ts";
import type { KeyView } from "../../../libs/operations/accounts/key-view.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useSend } from "../session.ts";
import { NewKey } from "./new-key.tsx";

const OVERLAPS = [
  [0, "It stops working now"],
  [3600, "For 1 hour more"],
  [86_400, "For 24 hours more"],
  [604_800, "For 7 days more"],
] as const;

/** Asks how long the old key keeps working, creates its successor and shows it. */
export function RotateKey({ old, close }: { old: KeyView; close: () => void }) {
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number][0]>(86_400);
  const send = useSend();
  const [created, setCreated] = useState<CreatedKeyView>();
  const rotate = async () => {
    const body = { overlap_seconds: overlap };
    setCreated(await send("POST", `/keys/${old.id}/rotate`, body));
  };
  if (created)
    return (
      <NewKey secret={created.key} close={close}>
        <p>
          {overlap === 0
            ? `The old key “${old.name}” no longer works.`
            : "The old key keeps working for a while. The list shows until when."}
        </p>
      </NewKey>
    );
  return (
    <FormDialog title="Rotate the key" action="Rotate the key" run={rotate} close={close}>
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
    </FormDialog>
  );
}
