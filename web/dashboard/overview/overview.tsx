import { Failed, Skeleton } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { get, useSession } from "../session.ts";
import { nameOf, useMayDo } from "../members/roles.tsx";
import { Checklist } from "./checklist.tsx";
import "./overview.css";
import { SearchNews } from "./search-news.tsx";
import { StoppedWebhooks } from "./stopped-webhooks.tsx";
import { UsageLine } from "./usage-line.tsx";

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
      {loaded.state === "failed" && <Failed error={loaded.error} retry={loaded.reload} />}
      {!loaded.value && loaded.state === "loading" && <Skeleton rows={5} />}
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
