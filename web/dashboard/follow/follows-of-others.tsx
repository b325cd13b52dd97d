import { useState } from "preact/hooks";
import type { FollowInSlackView } from "../data.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Reading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { get, useSend } from "../session.ts";
import { FREQUENCIES } from "./frequencies.ts";

/** One follow in Slack that is to be ended, or without it everything that comes by mail. */
type Asked = { email: string; follow?: FollowInSlackView };

/** The follows of other members, for admins: those in Slack, and the number of those by mail. */
export function FollowsOfOthers() {
  const loaded = useLoad("follows-of-others", (signal) => get("/members/follows", signal));
  const [asked, setAsked] = useState<Asked>();
  const { value } = loaded;
  return (
    <section class="stack" aria-labelledby="of-others">
      <h2 id="of-others">What others follow</h2>
      <Reading of={loaded} rows={2} />
      {value?.length === 0 && <p class="muted">Nobody else follows anything.</p>}
      {value && value.length > 0 && (
        <ul class="items" aria-label="What others follow">
          {value.flatMap(({ email, by_mail, in_slack }) => [
            ...in_slack.map((follow) => (
              <li key={follow.id}>
                <div>
                  <p class="anywhere">{follow.name}</p>
                  <p class="muted anywhere">
                    {email} · in Slack, {oftenOf(follow)}, since <When time={follow.created_at} as="day" />
                    {follow.status === "paused" && ` · paused: ${follow.reason}`}
                  </p>
                </div>
                <EndButton of={`${follow.name} of ${email}`} ask={() => setAsked({ email, follow })} />
              </li>
            )),
            ...(by_mail === 0
              ? []
              : [
                  <li key={email}>
                    <div>
                      <p>{by_mail === 1 ? "1 follow by mail" : `${by_mail} follows by mail`}</p>
                      <p class="muted anywhere">{email} · what they follow by mail, they alone see</p>
                    </div>
                    <EndButton of={`what ${email} follows by mail`} ask={() => setAsked({ email })} />
                  </li>,
                ]),
          ])}
        </ul>
      )}
      {asked && (
        <EndDialog
          asked={asked}
          close={() => setAsked(undefined)}
          ended={() => {
            setAsked(undefined);
            loaded.reload();
          }}
        />
      )}
    </section>
  );
}

const oftenOf = ({ every }: FollowInSlackView): string =>
  FREQUENCIES.find(([each]) => each === every)![1].toLowerCase();

function EndButton({ of, ask }: { of: string; ask: () => void }) {
  return (
    <button type="button" class="button danger" onClick={ask}>
      End<span class="visually-hidden"> {of}</span>
    </button>
  );
}

function EndDialog({ asked: { email, follow }, close, ended }: { asked: Asked; close: () => void; ended: () => void }) {
  const send = useSend();
  const end = async () => {
    await send("POST", "/members/follows/end", { email, ...(follow && { id: follow.id }) });
    ended();
  };
  return (
    <FormDialog
      title={follow ? "End this follow in Slack?" : "End these follows by mail?"}
      action="End"
      danger
      run={end}
      close={close}
    >
      <p class="anywhere">
        {follow ? (
          <>
            <strong>{follow.name}</strong> is no longer told in the Slack channel that {email} chose.
          </>
        ) : (
          <>
            <strong>{email}</strong> gets no more mails about what they follow.
          </>
        )}{" "}
        The account’s log says that you ended it. They can follow again
        {follow ? ": a viewer can’t follow in Slack." : " while they are a member."}
      </p>
    </FormDialog>
  );
}
