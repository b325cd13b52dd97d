import { useState } from "preact/hooks";
import type { MemberView } from "../../../apps/dashboard/routes/members.ts";
import { Dialog } from "../../ui/dialog.tsx";
import type { RequestFailed } from "../../ui/request.ts";
import { Failed } from "../../ui/states.tsx";
import { useSend } from "../session.ts";

/** Asks before somebody is removed. */
export function RemoveDialog({
  member: { email, is_you },
  close,
  removed,
}: {
  member: MemberView;
  close: () => void;
  removed: () => void;
}) {
  const send = useSend();
  const [error, setError] = useState<RequestFailed>();
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await send("POST", "/members/remove", { email });
      removed();
    } catch (failed) {
      setError(failed as RequestFailed);
      setBusy(false);
    }
  };
  return (
    <Dialog title={is_you ? "Leave this account?" : "Remove this member?"} close={close} busy={busy}>
      <p>
        <strong class="anywhere">{email}</strong> can no longer sign in. Their sessions end at once. Keys and saved
        searches stay, because they belong to the account.
      </p>
      {is_you && <p>This is you: you will be signed out.</p>}
      {error && <Failed error={error} />}
      <div class="row end">
        <button type="button" class="button" disabled={busy} onClick={close}>
          Cancel
        </button>
        <button type="button" class="button danger" disabled={busy} onClick={() => void remove()}>
          {is_you ? "Leave" : "Remove"}
        </button>
      </div>
    </Dialog>
  );
}
