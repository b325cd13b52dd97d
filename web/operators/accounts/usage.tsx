import type { AccountView } from "../data.ts";
import { Chart } from "../../ui/chart.tsx";
import { DAYS, usageSeries } from "./usage-series.ts";

const SERIES = {
  "2xx": ["Answered", "--series-1"],
  "3xx": ["Not modified", "--series-3"],
  "4xx": ["Refused", "--series-2"],
  "5xx": ["Failed", "--series-4"],
} as const;

/** Requests by day. */
export function Usage({ usage }: { usage: AccountView["usage"] }) {
  const { days, series } = usageSeries(usage, Date.now());
  if (series.length === 0) return <p class="muted">No requests in the last {DAYS} days.</p>;
  return (
    <Chart
      title="Requests by day"
      pointName="Day"
      points={days}
      series={series.map(({ status, values }) => ({ name: SERIES[status][0], colour: SERIES[status][1], values }))}
      newestFirst
    />
  );
}
