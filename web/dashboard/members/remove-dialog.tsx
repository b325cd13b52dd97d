import type { MemberView } from "../data.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useSend } from "../session.ts";
import { KeysThatStay } from "./keys-that-stay.tsx";

/** Asks before somebody is removed, or leaves. */
export function RemoveDialog({
  member: { email, is_you, keys },
  close,
  removed,
}: {
  member: MemberView;
  close: () => void;
  removed: () => void;
}) {
  const send = useSend();
  const remove = async () => {
    await (is_you ? send("POST", "/members/leave") : send("POST", "/members/remove", { email }));
    removed();
  };
  return (
    <FormDialog
      title={is_you ? "Leave this account?" : "Remove this member?"}
      action={is_you ? "Leave" : "Remove"}
      danger
      run={remove}
      close={close}
    >
      <p>
        <strong class="anywhere">{email}</strong> can no longer sign in. Their sessions end at once. Keys and saved
        searches stay, because they belong to the account.
      </p>
      <KeysThatStay keys={keys} />
      {is_you && <p>This is you: you will be signed out.</p>}
    </FormDialog>
  );
}
