import { useState } from "preact/hooks";
import type { InvitedMember } from "../data.ts";
import type { Role } from "../../../libs/shared/accounts/role.ts";
import { TextField } from "../../ui/text-field.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { Failed } from "../../ui/states.tsx";
import { RoleChoice } from "./roles.tsx";
import { useSend } from "../session.ts";
import { Invited } from "./invited.tsx";

/** Invites somebody by e-mail address with a role, and says how they get the invitation. */
export function InviteMember({ byEmail, invited }: { byEmail: boolean; invited: () => void }) {
  const send = useSend();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [last, setLast] = useState<InvitedMember>();
  const { busy, failed, attempt } = useAttempt();
  const invite = () =>
    attempt(async () => {
      setLast(undefined);
      setLast(await send("POST", "/members", { email, role }));
      // The next address may be typed already.
      setEmail((now) => (now === email ? "" : now));
      invited();
    });
  const problem = failed?.parameter === "email" ? failed.message : undefined;
  return (
    <section class="card stack" aria-labelledby="invite-member">
      <h2 id="invite-member">Invite a member</h2>
      {failed && problem === undefined && <Failed error={failed} />}
      {last && <Invited member={last} />}
      <form
        class="stack measure"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void invite();
        }}
      >
        <TextField
          label="E-mail address"
          hint={
            byEmail
              ? "An invitation is sent to it."
              : "You get a link, and send it yourself: this service sends no mails until its operators set TRANCHE_SMTP_URL and TRANCHE_MAIL_FROM."
          }
          problem={problem}
          type="email"
          maxLength={254}
          value={email}
          set={setEmail}
        />
        <RoleChoice role={role} choose={setRole} />
        <p>
          <button type="submit" class="button primary" disabled={busy}>
            Invite
          </button>
        </p>
      </form>
    </section>
  );
}
