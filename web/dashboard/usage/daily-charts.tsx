import type { DailyUsageView } from "../data.ts";
import { Chart } from "../../ui/chart.tsx";
import type { ChartSeries, SeriesColour } from "../../ui/chart-data.ts";
import { shownDay, shownDayOfYear } from "../../ui/when.tsx";

const STATUSES: Record<DailyUsageView["by_status"][number]["status"], { name: string; colour: SeriesColour }> = {
  "2xx": { name: "2xx successful", colour: "--series-1" },
  "3xx": { name: "3xx not modified", colour: "--series-3" },
  "4xx": { name: "4xx refused", colour: "--series-2" },
  "5xx": { name: "5xx failed", colour: "--series-4" },
};
/** Keys with a colour of their own; the others are summed up. */
const KEY_COLOURS: readonly SeriesColour[] = ["--series-1", "--series-3", "--series-2", "--series-5"];

const OF_DAYS = { pointName: "Day", label: shownDay, axisLabel: shownDayOfYear, newestFirst: true };

/** Requests per day, by status and by key. */
export function DailyCharts({ daily }: { daily: DailyUsageView }) {
  return (
    <>
      <StatusChart title="By status" daily={daily} />
      <Chart {...OF_DAYS} title="By key" points={daily.days} series={seriesOfKeys(daily.by_key)} />
      {usesMcp(daily) && <WayChart daily={daily} />}
    </>
  );
}

/** Requests per day by status, of the last days. */
function StatusChart({
  title,
  daily: { days, by_status },
  last = days.length,
}: {
  title: string;
  daily: DailyUsageView;
  last?: number;
}) {
  const series = by_status.map(({ status, requests }) => ({ ...STATUSES[status], values: requests.slice(-last) }));
  return <Chart {...OF_DAYS} title={title} points={days.slice(-last)} series={series} />;
}

const WAYS: Record<DailyUsageView["by_way"][number]["way"], { name: string; colour: SeriesColour }> = {
  api: { name: "programs and pages", colour: "--series-1" },
  mcp: { name: "assistants (/mcp)", colour: "--series-5" },
};
const usesMcp = ({ by_way }: DailyUsageView): boolean =>
  by_way.some(({ way, requests }) => way === "mcp" && requests.some((count) => count > 0));

/** Requests per day of assistants, and all others. */
function WayChart({ daily: { days, by_way } }: { daily: DailyUsageView }) {
  const series = by_way.map(({ way, requests }) => ({ ...WAYS[way], values: requests }));
  return <Chart {...OF_DAYS} title="By assistants" points={days} series={series} />;
}

/** Requests of all days. */
export const totalOf = ({ by_status }: DailyUsageView): number =>
  by_status.flatMap(({ requests }) => requests).reduce((sum, count) => sum + count, 0);

function seriesOfKeys(keys: DailyUsageView["by_key"]): ChartSeries[] {
  const shared = new Set(keys.map(({ name }) => name).filter((name, at, all) => all.indexOf(name) !== at));
  const own = keys.slice(0, KEY_COLOURS.length).map(({ name, prefix, ended, requests }, at) => ({
    name: `${name}${shared.has(name) && prefix ? ` (${prefix})` : ""}${ended ? ", ended" : ""}`,
    colour: KEY_COLOURS[at]!,
    values: requests,
  }));
  const rest = keys.slice(KEY_COLOURS.length);
  if (rest.length === 0) return own;
  const values = rest[0]!.requests.map((_, day) => rest.reduce((sum, { requests }) => sum + requests[day]!, 0));
  return [...own, { name: `${rest.length} others`, colour: "--series-other", values }];
}
