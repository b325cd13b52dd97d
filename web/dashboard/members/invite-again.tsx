import { useState } from "preact/hooks";
import type { InvitedMember } from "../data.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useSend } from "../session.ts";
import { Invited } from "./invited.tsx";

/** Makes a new invitation for a member who has not accepted theirs. */
export function InviteAgain({ email, close }: { email: string; close: () => void }) {
  const send = useSend();
  const [member, setMember] = useState<InvitedMember>();
  const invite = async () => setMember(await send("POST", "/members/invite", { email }));
  if (!member)
    return (
      <FormDialog title="Invite again" action="Invite again" run={invite} close={close}>
        <p class="anywhere">
          <strong>{email}</strong> gets a new invitation. The one from before works no longer.
        </p>
      </FormDialog>
    );
  return (
    <Dialog title="Invite again" close={close}>
      <Invited member={member} />
      <div class="row end">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
