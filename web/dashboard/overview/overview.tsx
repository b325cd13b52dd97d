import { Notice, Reading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { get, useSession } from "../session.ts";
import { nameOf, useMayDo } from "../members/roles.tsx";
import { Checklist } from "./checklist.tsx";
import { SearchNews } from "./search-news.tsx";
import type { WebhookView } from "../data.ts";
import { Status } from "../webhooks/status.tsx";
import { shownDay } from "../../ui/when.tsx";
import { count } from "../format.ts";
import { useUsage } from "../usage/use-usage.ts";
import { MonthWarning } from "../usage/month-warning.tsx";
import { ThrottleNotice } from "../usage/throttle-notice.tsx";
import "./overview.css";

/** What a member comes for: what is left to set up, what is wrong, and what is new in the saved searches. */
export default function Overview() {
  const { account, member, role } = useSession();
  const isDeveloper = useMayDo("developer");
  const loaded = useLoad(`overview ${role}`, async (signal) => {
    const [keys, { searches }, webhooks] = await Promise.all([
      isDeveloper ? get("/keys", signal) : undefined,
      get("/searches", signal),
      isDeveloper ? get("/webhooks", signal) : undefined,
    ]);
    return { keys: keys?.keys ?? [], searches, webhooks: webhooks?.webhooks ?? [] };
  });
  return (
    <div class="stack sections">
      <header class="anywhere">
        <h1>{account.name}</h1>
        <p class="muted">
          Signed in as {member}, {nameOf(role).toLowerCase()}
        </p>
        <UsageLine />
      </header>
      <Reading of={loaded} rows={5} />
      {loaded.value && (
        <>
          <StoppedWebhooks webhooks={loaded.value.webhooks} />
          <Checklist {...loaded.value} />
          <SearchNews searches={loaded.value.searches} />
        </>
      )}
    </div>
  );
}

/** The webhooks that nothing is sent to, with the reasons; nothing while all is well. */
function StoppedWebhooks({ webhooks }: { webhooks: readonly WebhookView[] }) {
  const stopped = webhooks.filter(({ status }) => status !== "active");
  if (stopped.length === 0) return null;
  return (
    <Notice kind="warning">
      <p>
        <strong>
          {stopped.length === 1 ? "One webhook gets nothing." : `${stopped.length} webhooks get nothing.`}
        </strong>
      </p>
      <ul>
        {stopped.map((webhook) => (
          <li key={webhook.id} class="anywhere">
            <a href={`/dashboard/webhooks/${webhook.id}`}>{webhook.name}</a>: <Status webhook={webhook} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** This month's requests in a line, and a warning when few are left. */
function UsageLine() {
  const usage = useUsage();
  const { value } = usage;
  if (!value) {
    if (usage.state !== "failed") return <p class="muted">…</p>;
    const { code, message } = usage.error;
    return <p class="muted">{code === "rate_limited" ? message : "The usage can't be read now."}</p>;
  }
  const { used, limit, resets_at: resets } = value.month;
  return (
    <>
      <p class="muted">
        {count(used)} of {count(limit)} requests this month, until {shownDay(resets)}.{" "}
        <a href="/dashboard/usage">Usage</a>
      </p>
      <ThrottleNotice throttle={value.throttle} />
      <MonthWarning month={value.month} />
    </>
  );
}
