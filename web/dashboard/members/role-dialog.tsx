import { useState } from "preact/hooks";
import type { MemberView } from "../data.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { RoleChoice } from "./roles.tsx";
import { useSend } from "../session.ts";
import { KeysThatStay } from "./keys-that-stay.tsx";

/** Gives a member another role. */
export function RoleDialog({ member, close, done }: { member: MemberView; close: () => void; done: () => void }) {
  const { email, is_you } = member;
  const send = useSend();
  const [role, setRole] = useState(member.role);
  const change = async () => {
    await send("POST", "/members/role", { email, role });
    done();
  };
  return (
    <FormDialog
      title="Change the role"
      action="Change the role"
      ready={role !== member.role}
      run={change}
      close={close}
    >
      <p class="anywhere">
        What <strong>{email}</strong> {is_you && "(you) "}may do, from their next request on.
      </p>
      <RoleChoice role={role} choose={setRole} />
      {role !== "admin" && <KeysThatStay keys={member.keys} />}
    </FormDialog>
  );
}
