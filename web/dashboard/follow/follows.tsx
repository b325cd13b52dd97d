import type { FollowedView } from "../data.ts";
import { Empty, Failed, Notice, Reading } from "../../ui/states.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { useMayDo } from "../members/roles.tsx";
import { get, useSend } from "../session.ts";
import { FREQUENCIES, type Frequency } from "./frequencies.ts";
import { FollowsOfOthers } from "./follows-of-others.tsx";

/** The follows of the signed-in member. */
export default function Follows() {
  const loaded = useLoad("follows", (signal) => get("/follows", signal));
  const send = useSend();
  const { failed, attempt } = useAttempt();
  const isAdmin = useMayDo("admin");
  const { value } = loaded;
  const change = async (sent: Promise<unknown>) => {
    await attempt(() => sent);
    loaded.reload();
  };
  return (
    <div class="stack">
      <h1>Following</h1>
      <p class="measure muted">
        New and changed rounds of what you follow come to your address by mail, or to a channel in Slack. Admins of your
        account see what you follow in Slack and how much by mail, and can end it.
      </p>
      <Reading of={loaded} rows={4} />
      {failed && <Failed error={failed} />}
      {value?.by_mail && value.follows.every(({ way }) => way === "mail") && (
        <Notice>
          <p>Nothing can be followed by mail. {value.by_mail}</p>
        </Notice>
      )}
      {value?.follows.length === 0 && (value.by_mail === null || value.in_slack === null) && (
        <Empty title="You follow nothing yet">
          <p>
            Choose “Follow” on the page of a company or an investor, or at a{" "}
            <a href="/dashboard/searches">saved search</a>.
          </p>
        </Empty>
      )}
      {value && value.follows.length > 0 && (
        <ul class="items" aria-label="Following">
          {value.follows.map((follow) => (
            <li key={follow.id}>
              <div>
                <p class="anywhere">
                  <a href={pageOf(follow)}>{follow.name}</a>
                </p>
                <p class="muted anywhere">
                  {follow.way === "slack" ? "In Slack" : "By mail"} since <When time={follow.created_at} as="day" />
                  {follow.status === "paused" && ` · paused: ${follow.reason}`}
                </p>
              </div>
              <div class="row">
                {follow.status === "paused" && (
                  <button
                    type="button"
                    class="button"
                    onClick={() => void change(send("PUT", `/follows/${follow.id}`, { resume: true }))}
                  >
                    Resume<span class="visually-hidden"> {follow.name}</span>
                  </button>
                )}
                <select
                  class="input"
                  aria-label={`How often ${follow.name} is told`}
                  value={follow.every}
                  onChange={({ currentTarget }) =>
                    void change(send("PUT", `/follows/${follow.id}`, { every: currentTarget.value as Frequency }))
                  }
                >
                  {FREQUENCIES.map(([every, text]) => (
                    <option key={every} value={every}>
                      {text}
                    </option>
                  ))}
                </select>
                <button
                  type="button"
                  class="button danger"
                  onClick={() => void change(send("DELETE", `/follows/${follow.id}`))}
                >
                  Unfollow<span class="visually-hidden"> {follow.name}</span>
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {isAdmin && <FollowsOfOthers />}
    </div>
  );
}

function pageOf({ of }: FollowedView): string {
  if (of.kind === "search") return `/dashboard/searches/${of.id}`;
  const [list, id] = of.kind === "investor" ? ["investors", of.id] : ["companies", of.ids[0]!];
  return `/dashboard/${list}/${encodeURIComponent(id)}`;
}
