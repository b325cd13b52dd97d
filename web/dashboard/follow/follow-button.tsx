import { useState } from "preact/hooks";
import type { FollowedView } from "../data.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Failed, Loading, Notice } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { useMayDo } from "../members/roles.tsx";
import { get, useSend } from "../session.ts";
import { FREQUENCIES, type Frequency } from "./frequencies.ts";

/** The subject of a follow, with its filters as a webhook has them. */
type Followable = {
  name: string;
  of: { kind: "search"; id: string } | { kind: "investor"; id: string } | { kind: "companies"; ids: string[] };
  query: string;
};

/** Follows something by mail or in Slack: one click opens the dialog, one follows. */
export function FollowButton({ followable, label = "Follow" }: { followable: Followable; label?: string }) {
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState<FollowedView>();
  if (done) {
    return (
      <p class="muted" role="status">
        You follow this {done.way === "slack" ? "in Slack" : "by mail"}. <a href="/dashboard/follows">Change it</a>
      </p>
    );
  }
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        {label}
        <span class="visually-hidden"> {followable.name}</span>
      </button>
      {open && (
        <FollowDialog
          followable={followable}
          close={() => setOpen(false)}
          done={(follow) => {
            setOpen(false);
            setDone(follow);
          }}
        />
      )}
    </>
  );
}

function FollowDialog({
  followable: { name, of, query },
  close,
  done,
}: {
  followable: Followable;
  close: () => void;
  done: (follow: FollowedView) => void;
}) {
  const send = useSend();
  const isDeveloper = useMayDo("developer");
  const loaded = useLoad("follows", (signal) => get("/follows", signal));
  const { value } = loaded;
  const [every, setEvery] = useState<Frequency>("daily");
  const [way, setWay] = useState<"mail" | "slack">();
  const [url, setUrl] = useState("");
  // What works is chosen at first.
  const inSlack = (way ?? (isDeveloper && value?.by_mail && !value.in_slack ? "slack" : "mail")) === "slack";
  const follow = async () => {
    const wanted = { of: of.kind === "search" ? of : { ...of, name }, every };
    done(await (inSlack ? send("POST", "/follows/slack", { ...wanted, url }) : send("POST", "/follows", wanted)));
  };
  const webhook = new URLSearchParams({ create: "", name, list: "funding", query });
  const obstacle = value && (inSlack ? value.in_slack : value.by_mail);
  return (
    <FormDialog title={`Follow ${name}`} action="Follow" ready={obstacle === null} run={follow} close={close}>
      {(problemOf) => (
        <>
          {loaded.state === "failed" && <Failed error={loaded.error} retry={loaded.reload} />}
          {loaded.state === "loading" && !value && <Loading what="the ways to follow" />}
          {value && isDeveloper && (
            <fieldset class="choices ways">
              <legend>New and changed rounds come</legend>
              <label>
                <input type="radio" name="way" checked={!inSlack} onChange={() => setWay("mail")} />
                <span>
                  By mail <span class="muted">to your own address</span>
                </span>
              </label>
              <label>
                <input type="radio" name="way" checked={inSlack} onChange={() => setWay("slack")} />
                <span>
                  In Slack <span class="muted">to a channel; counts like a webhook</span>
                </span>
              </label>
            </fieldset>
          )}
          {obstacle && (
            <Notice>
              <p>
                It can’t be followed {inSlack ? "in Slack" : "by mail"}. {obstacle}
              </p>
            </Notice>
          )}
          {obstacle === null && inSlack && (
            <TextField
              label="Address of the incoming webhook"
              hint="Slack shows it once an app of your workspace has “Incoming Webhooks” switched on and a channel chosen. It is stored encrypted and not shown again. A first message says that you follow this."
              problem={problemOf("url")}
              placeholder="https://hooks.slack.com/services/…"
              value={url}
              set={setUrl}
            />
          )}
          {obstacle === null && (
            <fieldset class="choices">
              <legend>{isDeveloper ? "How often" : "New and changed rounds come to you by mail"}</legend>
              {FREQUENCIES.map(([often, text, hint]) => (
                <label key={often}>
                  <input type="radio" name="every" checked={every === often} onChange={() => setEvery(often)} />
                  <span>
                    {text} <span class="muted">{hint}</span>
                  </span>
                </label>
              ))}
            </fieldset>
          )}
          {isDeveloper ? (
            <p class="muted">
              Other ways:{" "}
              {of.kind === "search" ? (
                <a href={`/dashboard/searches/${of.id}`}>a feed link</a>
              ) : (
                <>
                  a feed link, once you <a href={`/dashboard/explore/funding?${query}`}>save these rounds</a> as a
                  search
                </>
              )}
              , or <a href={`/dashboard/webhooks?${webhook}`}>a webhook</a>.
            </p>
          ) : (
            obstacle && <p class="muted">Developers and admins can follow in Slack, by feed link or by webhook.</p>
          )}
        </>
      )}
    </FormDialog>
  );
}
