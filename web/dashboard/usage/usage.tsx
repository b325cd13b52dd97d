import { Failed, Loading } from "../../ui/states.tsx";
import { DailyCharts, totalOf } from "./daily-charts.tsx";
import { RecentErrors, useRecentErrors } from "./recent-errors.tsx";
import { useDailyUsage, useUsage } from "./use-usage.ts";
import { UsageWindows } from "./windows.tsx";

/** The usage of the account's keys. */
export default function UsagePage() {
  const usage = useUsage();
  const daily = useDailyUsage();
  const errors = useRecentErrors();
  const total = daily.value && totalOf(daily.value);
  return (
    <div class="stack sections">
      <div class="row between">
        <h1>Usage</h1>
        <button
          type="button"
          class="button"
          onClick={() => {
            usage.reload();
            daily.reload();
            errors.reload();
          }}
        >
          Refresh
        </button>
      </div>
      <UsageWindows usage={usage} clock={daily.value} />
      <section class="card stack">
        <h2>Requests per day, last 90 days</h2>
        {daily.state === "failed" && <Failed error={daily.error} retry={daily.reload} />}
        {daily.state === "loading" && !daily.value && <Loading what="the counts" />}
        {total === 0 && <p class="muted">No requests yet. They appear here within a few seconds.</p>}
        {daily.value && total! > 0 && <DailyCharts daily={daily.value} />}
      </section>
      <section class="card stack">
        <h2>Recent errors</h2>
        <RecentErrors loaded={errors} />
      </section>
    </div>
  );
}
