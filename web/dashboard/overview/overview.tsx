import type { KeysView } from "../../../apps/dashboard/routes/keys.ts";
import { Failed, Loading } from "../../ui/states.tsx";
import { type Loaded, useLoad } from "../../ui/use-load.ts";
import { get, useSession } from "../session.ts";
import { StatusChart, totalOf } from "../usage/daily-charts.tsx";
import { useRecentErrors } from "../usage/recent-errors.tsx";
import { useDailyUsage, useUsage } from "../usage/use-usage.ts";
import { UsageWindows } from "../usage/windows.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { WebhooksCard } from "./webhooks-card.tsx";

/** Where somebody arrives after signing in: how the account is doing, and what to do first. */
export default function Overview() {
  const { account, member } = useSession();
  const usage = useUsage();
  const daily = useDailyUsage();
  const keys = useLoad("keys", (signal) => get<KeysView>("/keys", signal));
  const errors = useRecentErrors();
  return (
    <div class="stack sections">
      <div>
        <h1>{account.name}</h1>
        <p class="muted">Signed in as {member}</p>
      </div>
      {keys.value?.working === 0 && <FirstSteps />}
      <UsageWindows usage={usage} clock={daily.value} />
      {daily.value && totalOf(daily.value) > 0 && (
        <section class="card stack">
          <h2>Requests per day</h2>
          <StatusChart title="Last 30 days" daily={daily.value} last={30} />
        </section>
      )}
      <div class="cards">
        <section class="card stack">
          <h2>API keys</h2>
          <Count loaded={keys} what="the keys" count={(view) => view.working} words="that work" />
          <p>
            <a href="/dashboard/keys">Manage keys</a>
          </p>
        </section>
        <WebhooksCard />
        <section class="card stack">
          <h2>Recent errors</h2>
          <Count
            loaded={errors}
            what="recent errors"
            count={(view) => (view.errors.length === 100 ? "100 or more" : view.errors.length)}
            words="in the last 7 days"
          />
          <p>
            <a href="/dashboard/usage">What to do about them, and usage per day</a>
          </p>
        </section>
      </div>
    </div>
  );
}

function Count<T>({
  loaded,
  what,
  count,
  words,
}: {
  loaded: Loaded<T> & { reload: () => void };
  what: string;
  count: (value: T) => number | string;
  words: string;
}) {
  if (loaded.state === "failed") return <Failed error={loaded.error} retry={loaded.reload} />;
  if (!loaded.value) return <Loading what={what} />;
  return (
    <p class="gauge-figure">
      <b>{count(loaded.value)}</b> <span class="muted">{words}</span>
    </p>
  );
}
