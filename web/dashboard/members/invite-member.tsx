import { useState } from "preact/hooks";
import type { InvitedMember } from "../data.ts";
import type { Role } from "../../../libs/shared/accounts/role.ts";
import { Field } from "../../ui/field.tsx";
import type { RequestFailed } from "../../ui/request.ts";
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
  const [error, setError] = useState<RequestFailed>();
  const [busy, setBusy] = useState(false);
  const invite = async () => {
    setBusy(true);
    setError(undefined);
    setLast(undefined);
    try {
      setLast(await send("POST", "/members", { email, role }));
      setEmail("");
      invited();
    } catch (failed) {
      setError(failed as RequestFailed);
    }
    setBusy(false);
  };
  const problem = error?.parameter === "email" ? error.message : undefined;
  return (
    <section class="card stack" aria-labelledby="invite-member">
      <h2 id="invite-member">Invite a member</h2>
      {error && problem === undefined && <Failed error={error} />}
      {last && <Invited member={last} />}
      <form
        class="stack measure"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void invite();
        }}
      >
        <Field
          label="E-mail address"
          hint={
            byEmail
              ? "An invitation is sent to it."
              : "This service sends no mails: you get a link, and send it yourself."
          }
          problem={problem}
        >
          {(attributes) => (
            <input
              {...attributes}
              class="input"
              type="email"
              autocomplete="off"
              maxLength={254}
              value={email}
              onInput={(event) => setEmail(event.currentTarget.value)}
            />
          )}
        </Field>
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
