import { useState } from "preact/hooks";
import type { KeysView, ListedSearch, WebhookView } from "../data.ts";
import { useLoad } from "../../ui/use-load.ts";
import { useMayDo } from "../members/roles.tsx";
import { get, useSession } from "../session.ts";

type Step = { name: string; about: string; href: string; done: boolean };

/** The first steps of an account, until all are done or somebody hides them in this browser. */
export function Checklist({
  keys,
  searches,
  webhooks,
}: {
  keys: KeysView["keys"];
  searches: readonly ListedSearch[];
  webhooks: readonly WebhookView[];
}) {
  const { account } = useSession();
  const [isDeveloper, isAdmin] = [useMayDo("developer"), useMayDo("admin")];
  const stored = `tranche.checklist.${account.id}`;
  const [isHidden, setIsHidden] = useState(() => localStorage.getItem(stored) === "hidden");
  const follows = useLoad("follows", (signal) => get("/follows", signal)).value?.follows;
  const members = useLoad("members", (signal) => get("/members", signal)).value?.members;
  const [first] = searches;
  const all: readonly (Step & { isMine?: boolean })[] = [
    {
      isMine: isDeveloper,
      name: "Ask with your key",
      about: "Create a key, and send the request that is shown with it.",
      href: keys.length === 0 ? "/dashboard/keys?create=1" : "/dashboard/keys",
      done: keys.some(({ last_used_at: used }) => used !== null),
    },
    {
      name: "Save a search",
      about: "Set filters in Explore, and keep them under a name.",
      href: "/dashboard/explore",
      done: searches.length > 0,
    },
    {
      name: "Follow it",
      about: "Its changes come to you by mail, to a feed reader, or to a program of yours.",
      href: first ? `/dashboard/searches/${first.id}` : "/dashboard/searches",
      done: (follows?.length ?? 0) > 0 || webhooks.length > 0 || searches.some(({ feed_links: links }) => links > 0),
    },
    {
      isMine: isAdmin,
      name: "Invite somebody",
      about: "Colleagues share keys, searches and webhooks with you.",
      href: "/dashboard/members",
      done: (members?.length ?? 0) > 1,
    },
  ];
  const steps = all.filter(({ isMine = true }) => isMine);
  const done = steps.filter((step) => step.done).length;
  if (isHidden || members === undefined || done === steps.length) return null;
  const next = steps.find((step) => !step.done);
  return (
    <section class="card stack" aria-labelledby="checklist-name">
      <div class="row between">
        <h2 id="checklist-name">
          First steps{" "}
          <span class="muted checklist-count">
            {done} of {steps.length} done
          </span>
        </h2>
        <button
          type="button"
          class="button"
          onClick={() => {
            localStorage.setItem(stored, "hidden");
            setIsHidden(true);
          }}
        >
          Hide
        </button>
      </div>
      <ol class="checklist">
        {steps.map((step) => (
          <li key={step.name} class={step.done ? "done" : undefined}>
            <span class="checklist-mark" aria-hidden="true">
              {step.done ? "✓" : ""}
            </span>
            <div>
              <p>
                {step.done ? step.name : <a href={step.href}>{step.name}</a>}
                {step.done && <span class="visually-hidden">: done</span>}
              </p>
              {step === next && <p class="muted">{step.about}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
