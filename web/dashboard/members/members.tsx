import { useState } from "preact/hooks";
import type { MemberView } from "../data.ts";
import { Reading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { nameOf, RoleNeeded, useMayDo } from "./roles.tsx";
import { get } from "../session.ts";
import { InviteAgain } from "./invite-again.tsx";
import { InviteMember } from "./invite-member.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { RoleDialog } from "./role-dialog.tsx";

type Asked = { what: "link" | "invite"; email: string } | { what: "remove" | "role"; member: MemberView };

/** The people who may sign in to the account, and what they may do. */
export default function Members() {
  const loaded = useLoad("members", (signal) => get("/members", signal));
  const isAdmin = useMayDo("admin");
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const done = () => {
    close();
    loaded.reload();
  };
  const { value } = loaded;
  const admins = value?.members.filter(({ role }) => role === "admin").length;
  return (
    <div class="stack">
      <h1>Members</h1>
      <p class="measure muted">Members sign in with their e-mail address. Their role says what they may do.</p>
      <Reading of={loaded} rows={4} />
      {value && (
        <>
          <ul class="items">
            {value.members.map((member) => {
              const { email, role, is_you, added_at, added_by, invited_until } = member;
              const isLastAdmin = role === "admin" && admins === 1;
              const named = <span class="visually-hidden"> {email}</span>;
              return (
                <li key={email}>
                  <div>
                    <p class="anywhere">
                      {email} {is_you && <strong>(you)</strong>}
                    </p>
                    <p class="muted anywhere">
                      {nameOf(role)} · added <When time={added_at} /> by {added_by}
                      {invited_until !== null && <Invited until={invited_until} />}
                    </p>
                  </div>
                  <div class="row">
                    {isAdmin && (
                      <>
                        <button
                          type="button"
                          class="button"
                          disabled={isLastAdmin}
                          onClick={() => setAsked({ what: "role", member })}
                        >
                          Role<span class="visually-hidden"> of {email}</span>
                        </button>
                        {invited_until === null ? (
                          <button type="button" class="button" onClick={() => setAsked({ what: "link", email })}>
                            Sign-in link<span class="visually-hidden"> for {email}</span>
                          </button>
                        ) : (
                          <button type="button" class="button" onClick={() => setAsked({ what: "invite", email })}>
                            Invite again{named}
                          </button>
                        )}
                      </>
                    )}
                    {(isAdmin || is_you) && (
                      <button
                        type="button"
                        class="button danger"
                        disabled={isLastAdmin}
                        onClick={() => setAsked({ what: "remove", member })}
                      >
                        {is_you ? "Leave" : "Remove"}
                        {named}
                      </button>
                    )}
                  </div>
                </li>
              );
            })}
          </ul>
          {admins === 1 && isAdmin && (
            <p class="muted">
              An account needs an admin. Make somebody else an admin before this one leaves or gets another role.
            </p>
          )}
          {isAdmin ? (
            <InviteMember byEmail={value.by_email} invited={loaded.reload} />
          ) : (
            <RoleNeeded needed="admin" what="Inviting members and changing roles are" />
          )}
        </>
      )}
      {asked?.what === "link" && <LinkDialog email={asked.email} close={close} />}
      {asked?.what === "invite" && <InviteAgain email={asked.email} close={done} />}
      {asked?.what === "remove" && <RemoveDialog member={asked.member} close={close} removed={done} />}
      {asked?.what === "role" && <RoleDialog member={asked.member} close={close} done={done} />}
    </div>
  );
}

function Invited({ until }: { until: string }) {
  return Date.parse(until) > Date.now() ? (
    <>
      {" "}
      · invited until <When time={until} as="day" />
    </>
  ) : (
    <> · the invitation has expired</>
  );
}
