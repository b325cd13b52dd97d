import { useRoute } from "preact-iso";
import { useState } from "preact/hooks";
import type { AccountView, SignInLinkView } from "../data.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Badge } from "../parts/badge.tsx";
import { Facts } from "../parts/facts.tsx";
import { shownNumber } from "../parts/figures.ts";
import { LivePage } from "../parts/live-page.tsx";
import { UtcTime } from "../parts/utc-time.tsx";
import { useLive } from "../parts/use-live.ts";
import { ChangePlan, Delete, Resume, SignInLink, Suspend } from "./changes.tsx";
import { Keys } from "./keys.tsx";
import { MonthUsage } from "./month-usage.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { Throttle, Unthrottle } from "./throttle.tsx";
import { Usage } from "./usage.tsx";

const EVERY_SECONDS = 10;

/** One account: its use, its keys, its members, and what operators can change. */
export default function Account() {
  const id = useRoute().params["id"]!;
  const live = useLive(`/accounts/${encodeURIComponent(id)}`, EVERY_SECONDS);
  return (
    <div class="stack">
      <p>
        <a href="/operators/accounts">All accounts</a>
      </p>
      {!live.value && <h1>Account</h1>}
      <LivePage live={live} what="the account">
        {(account) => (
          <>
            <div class="head">
              <h1 class="anywhere">{account.name}</h1>
              <div class="row">
                <StatusBadge status={account.status} />
                {account.throttle && <Badge mood="warning">throttled</Badge>}
              </div>
            </div>
            {account.status !== "deleted" && <Actions account={account} changed={live.reload} />}
            <div class="tiles">
              <About account={account} />
              <Members account={account} />
            </div>
            <section class="stack">
              <h2>Usage</h2>
              <Usage usage={account.usage} />
            </section>
            <Keys account={account} changed={live.reload} />
          </>
        )}
      </LivePage>
    </div>
  );
}

function About({ account }: { account: AccountView }) {
  return (
    <section class="card stack">
      <h2>About</h2>
      <Facts
        of={[
          ["Id", <code>{account.id}</code>],
          ["Plan", account.plan],
          ["This month", <MonthUsage used={account.requests_this_month} quota={account.quota} />],
          ["Throttled to", account.throttle && <LowerLimits of={account.throttle} />],
          ["Created", <UtcTime of={account.created_at} />],
          ["Last used", <UtcTime of={account.last_used_at} />],
        ]}
      />
      <p class="row">
        <a href={`/operators/requests/${account.id}`}>Its requests now</a>
        <a href={`/operators/audit?account=${account.id}`}>What was done to it</a>
      </p>
    </section>
  );
}

function LowerLimits({ of: { burst, quota, until, reason } }: { of: NonNullable<AccountView["throttle"]> }) {
  return (
    <>
      {burst !== null && `${shownNumber(burst)} in 60 seconds, `}
      {quota !== null && `${shownNumber(quota)} in a month, `}
      {until === null ? (
        "until it is ended"
      ) : (
        <>
          until <UtcTime of={until} />
        </>
      )}
      : {reason}
    </>
  );
}

function Members({ account: { members } }: { account: AccountView }) {
  return (
    <section class="card stack">
      <h2>Members</h2>
      {members.length === 0 ? (
        <p class="muted">Nobody can sign in to its dashboard yet. Make a sign-in link.</p>
      ) : (
        <Facts
          of={members.map(
            ({ email, role, added_at }) =>
              [
                email,
                <>
                  {role}, since <UtcTime of={added_at} />
                </>,
              ] as const,
          )}
        />
      )}
    </section>
  );
}

const DIALOGS = {
  plan: ChangePlan,
  throttle: Throttle,
  unthrottle: Unthrottle,
  suspend: Suspend,
  resume: Resume,
  delete: Delete,
} as const;

function Actions({ account, changed }: { account: AccountView; changed: () => void }) {
  const [open, setOpen] = useState<keyof typeof DIALOGS | "link">();
  const [link, setLink] = useState<SignInLinkView>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    changed();
  };
  const Change = open !== undefined && open !== "link" ? DIALOGS[open] : undefined;
  return (
    <>
      <div class="row">
        <button type="button" class="button" onClick={() => setOpen("link")}>
          Sign-in link
        </button>
        <button type="button" class="button" onClick={() => setOpen("plan")}>
          Change the plan
        </button>
        <button type="button" class="button danger" onClick={() => setOpen("throttle")}>
          {account.throttle ? "Change the throttle" : "Throttle"}
        </button>
        {account.throttle && (
          <button type="button" class="button" onClick={() => setOpen("unthrottle")}>
            End the throttle
          </button>
        )}
        {account.status === "suspended" ? (
          <button type="button" class="button" onClick={() => setOpen("resume")}>
            Resume
          </button>
        ) : (
          <button type="button" class="button danger" onClick={() => setOpen("suspend")}>
            Suspend
          </button>
        )}
        <button type="button" class="button danger" onClick={() => setOpen("delete")}>
          Delete
        </button>
      </div>
      {Change && <Change account={account} close={close} done={done} />}
      {open === "link" && (
        <SignInLink
          account={account}
          close={close}
          made={(fresh) => {
            done();
            setLink(fresh);
          }}
        />
      )}
      {link && (
        <ShownOnce title={`Sign-in link for ${link.email}`} what="the link" close={() => setLink(undefined)}>
          <CodeBlock code={link.url} what="the link" />
          <p class="muted">It signs in once, within {link.minutes} minutes.</p>
        </ShownOnce>
      )}
    </>
  );
}
