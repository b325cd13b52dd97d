import { useState } from "preact/hooks";
import type { AddedMember } from "../../../apps/dashboard/routes/members.ts";
import type { Role } from "../../../libs/shared/accounts/role.ts";
import { Field } from "../../ui/field.tsx";
import type { RequestFailed } from "../../ui/request.ts";
import { Failed, Notice } from "../../ui/states.tsx";
import { nameOf, RoleChoice } from "../roles/roles.tsx";
import { useSend } from "../session.ts";

/** Adds somebody by e-mail address, and says how they get their link. */
export function AddMember({
  byEmail,
  added,
  makeLink,
}: {
  byEmail: boolean;
  added: () => void;
  makeLink: (email: string) => void;
}) {
  const send = useSend();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [last, setLast] = useState<AddedMember>();
  const [error, setError] = useState<RequestFailed>();
  const [busy, setBusy] = useState(false);
  const add = async () => {
    setBusy(true);
    setError(undefined);
    setLast(undefined);
    try {
      setLast(await send<AddedMember>("POST", "/members", { email, role }));
      setEmail("");
      added();
    } catch (failed) {
      setError(failed as RequestFailed);
    }
    setBusy(false);
  };
  const problem = error?.parameter === "email" ? error.message : undefined;
  return (
    <section class="card stack" aria-labelledby="add-member">
      <h2 id="add-member">Add a member</h2>
      {error && problem === undefined && <Failed error={error} />}
      {last && <Added member={last} makeLink={makeLink} />}
      <form
        class="stack measure"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Field
          label="E-mail address"
          hint={
            byEmail
              ? "A link that signs them in is sent to it."
              : "This service sends no mails: create a sign-in link for them afterwards, and send it yourself."
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
            Add
          </button>
        </p>
      </form>
    </section>
  );
}

function Added({
  member: { email, role, mail },
  makeLink,
}: {
  member: AddedMember;
  makeLink: (email: string) => void;
}) {
  const name = <strong class="anywhere">{email}</strong>;
  if (mail === "sent") {
    return (
      <Notice>
        <p>
          {name} is a member now, as {nameOf(role).toLowerCase()}. A link is on its way to them.
        </p>
      </Notice>
    );
  }
  return (
    <Notice kind={mail === "failed" ? "warning" : "info"}>
      <p>
        {name} is a member now, as {nameOf(role).toLowerCase()}.
        {mail === "failed" && " The mail to them could not be sent."} Create a sign-in link and send it to them
        yourself.
      </p>
      <p>
        <button type="button" class="button" onClick={() => makeLink(email)}>
          Create a sign-in link
        </button>
      </p>
    </Notice>
  );
}
