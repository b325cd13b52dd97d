import { useState } from "preact/hooks";
import type { FollowedView } from "../../../apps/dashboard/routes/follow-view.ts";
import type { FollowsView } from "../../../apps/dashboard/routes/follows.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Loading, Notice } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { useMayDo } from "../roles/roles.tsx";
import { get, useSend } from "../session.ts";
import { FREQUENCIES, type Frequency } from "./frequencies.ts";

/** What can be followed, with its filters as a webhook has them. */
export type Followable = {
  name: string;
  of: { kind: "search"; id: string } | { kind: "investor"; id: string } | { kind: "companies"; ids: string[] };
  query: string;
};

/** Follows something by mail: one click opens the dialog, one follows. */
export function FollowButton({ followable, label = "Follow" }: { followable: Followable; label?: string }) {
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState<FollowedView>();
  if (done) {
    return (
      <p class="muted" role="status">
        You follow this by mail. <a href="/dashboard/follows">Change it</a>
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
  const { value } = useLoad("follows", (signal) => get<FollowsView>("/follows", signal));
  const [every, setEvery] = useState<Frequency>("daily");
  const follow = async () => {
    const named = of.kind === "search" ? of : { ...of, name };
    done(await send<FollowedView>("POST", "/follows", { of: named, every }));
  };
  const webhook = new URLSearchParams({ create: "", name, list: "funding", query });
  return (
    <FormDialog title={`Follow ${name}`} action="Follow" ready={value?.by_mail === null} run={follow} close={close}>
      {value === undefined && <Loading what="the ways to follow" />}
      {value?.by_mail && (
        <Notice>
          <p>It can’t be followed by mail: {value.by_mail}</p>
        </Notice>
      )}
      {value?.by_mail === null && (
        <fieldset class="choices">
          <legend>New and changed rounds come to you by mail</legend>
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
      {isDeveloper && (
        <p class="muted">
          Other ways: {of.kind === "search" && <a href={`/dashboard/searches/${of.id}`}>a feed link</a>}
          {of.kind === "search" && ", or "}
          <a href={`/dashboard/webhooks?${webhook}`}>a webhook</a>.
        </p>
      )}
    </FormDialog>
  );
}
