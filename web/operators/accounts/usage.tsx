import type { AccountView } from "../data.ts";
import { Chart } from "../../ui/chart.tsx";
import { CLASS_SERIES, DAYS, usageSeries } from "./usage-series.ts";

/** Requests by day. */
export function Usage({ usage }: { usage: AccountView["usage"] }) {
  const { days, series } = usageSeries(usage, Date.now());
  if (series.length === 0) return <p class="muted">No requests in the last {DAYS} days.</p>;
  return (
    <Chart
      title="Requests by day"
      pointName="Day"
      points={days}
      axisLabel={(day) => day.slice("2026-".length)}
      series={series.map(({ status, values }) => ({
        name: CLASS_SERIES[status][0],
        colour: CLASS_SERIES[status][1],
        values,
      }))}
      newestFirst
    />
  );
}
