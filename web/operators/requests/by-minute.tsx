import type { Figures } from "../data.ts";
import { Chart } from "../../ui/chart.tsx";
import { CLASS_SERIES } from "../accounts/usage-series.ts";

/** Requests by minute and class of status. Classes without any are left out. */
export function ByMinute({
  title,
  minutes,
  of,
}: {
  title: string;
  minutes: readonly string[];
  of: Pick<Figures, "by_minute" | "requests">;
}) {
  const classes = Object.keys(of.by_minute) as (keyof Figures["by_minute"])[];
  return (
    <section class="stack">
      <h2>The last hour</h2>
      {of.requests === 0 ? (
        <p class="muted">No requests.</p>
      ) : (
        <Chart
          title={title}
          pointName="Minute"
          points={minutes.map((minute) => minute.slice("2025-06-15T".length, "2025-06-15T12:00".length))}
          series={classes
            .filter((name) => of.by_minute[name].some((count) => count > 0))
            .map((name) => ({
              name: CLASS_SERIES[name][0],
              colour: CLASS_SERIES[name][1],
              values: of.by_minute[name],
            }))}
          newestFirst
        />
      )}
    </section>
  );
}
