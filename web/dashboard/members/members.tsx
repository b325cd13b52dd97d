import { useState } from "preact/hooks";
import type { MembersView, MemberView } from "../../../apps/dashboard/routes/members.ts";
import { Failed, Skeleton } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { get } from "../session.ts";
import { AddMember } from "./add-member.tsx";
import { LinkDialog } from "./link-dialog.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";

type Asked = { what: "link"; email: string } | { what: "remove"; member: MemberView };

/** The people who may sign in to the account. */
export default function Members() {
  const loaded = useLoad("members", (signal) => get<MembersView>("/members", signal));
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const removed = () => {
    close();
    loaded.reload();
  };
  const { value } = loaded;
  return (
    <div class="stack">
      <h1>Members</h1>
      <p class="measure muted">
        Members sign in with their e-mail address. They all see the same and may do the same: with keys, saved searches
        and members.
      </p>
      {loaded.state === "failed" && <Failed error={loaded.error} retry={loaded.reload} />}
      {!value && loaded.state === "loading" && <Skeleton rows={4} />}
      {value && (
        <>
          <ul class="items">
            {value.members.map((member) => (
              <li key={member.email}>
                <div>
                  <p class="anywhere">
                    {member.email} {member.is_you && <strong>(you)</strong>}
                  </p>
                  <p class="muted anywhere">
                    Added <When time={member.added_at} /> by {member.added_by}
                  </p>
                </div>
                <div class="row">
                  <button type="button" class="button" onClick={() => setAsked({ what: "link", email: member.email })}>
                    Sign-in link<span class="visually-hidden"> for {member.email}</span>
                  </button>
                  <button
                    type="button"
                    class="button danger"
                    disabled={value.members.length === 1}
                    onClick={() => setAsked({ what: "remove", member })}
                  >
                    Remove<span class="visually-hidden"> {member.email}</span>
                  </button>
                </div>
              </li>
            ))}
          </ul>
          {value.members.length === 1 && (
            <p class="muted">The last member can't be removed. Add somebody else first.</p>
          )}
          <AddMember
            byEmail={value.by_email}
            added={loaded.reload}
            makeLink={(email) => setAsked({ what: "link", email })}
          />
        </>
      )}
      {asked?.what === "link" && <LinkDialog email={asked.email} close={close} />}
      {asked?.what === "remove" && <RemoveDialog member={asked.member} close={close} removed={removed} />}
    </div>
  );
}
