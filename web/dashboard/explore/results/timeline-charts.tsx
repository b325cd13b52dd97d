import { Chart } from "../../../ui/chart.tsx";
import type { ChartSeries, SeriesColour } from "../../../ui/chart-data.ts";
import { requestJson } from "../../../ui/request.ts";
import { Notice, Skeleton } from "../../../ui/states.tsx";
import { useLoad } from "../../../ui/use-load.ts";
import { shownMonth } from "../../../ui/when.tsx";
import { count, money } from "../../format.ts";
import { API } from "../../session.ts";
import { useToday } from "../../today.ts";
import { type Params, writeParams } from "../request/params.ts";
import { Comparison } from "./comparison.tsx";
import { readBefore } from "./period-before.ts";
import { type Periods, periodsOf } from "./periods.ts";
import type { Stats } from "./stats.ts";
import { comparedTimelines, type Point, timelineOf } from "./timeline.ts";

/** The rounds of some filters by month or year; those of a period beside those of the period before. */
export function TimelineCharts({ params, months }: { params: Params; months: Stats }) {
  const today = useToday();
  const periods = today === undefined ? undefined : periodsOf(params, today);
  const loaded = useLoad(
    periods ? "compared" : "",
    async (signal) =>
      periods &&
      readBefore(params, periods, months, async (query) => {
        const path = `${API}/v1/funding/stats?${writeParams(query)}`;
        return (await requestJson<Stats>(path, { signal })).body;
      }),
  );
  if (periods && !loaded.value && loaded.state !== "failed") {
    return (
      <div class="card chart-wide">
        <Skeleton rows={8} />
      </div>
    );
  }
  const before = periods && loaded.value;
  return (
    <>
      {before && <Comparison periods={periods} {...before.totals} />}
      {loaded.state === "failed" && (
        <Notice kind="warning">
          <p>The period before can’t be shown: {loaded.error.message}</p>
        </Notice>
      )}
      <Timelines months={months} periods={periods} before={before?.months} />
    </>
  );
}

const pointsOf = ({ data }: Stats): Point[] =>
  data.flatMap(({ key, count: rounds, total_amount_usd: amount }) =>
    key === null ? [] : [{ key, count: rounds, amount: amount ?? 0 }],
  );

function Timelines({
  months,
  periods,
  before,
}: {
  months: Stats;
  periods: Periods | undefined;
  before: Stats | undefined;
}) {
  const own = pointsOf(months);
  const pair =
    periods && before && before.total.count > 0 ? comparedTimelines([own, pointsOf(before)], periods) : undefined;
  const { unit, points: timeline, leftOut } = pair ? { ...pair, leftOut: 0 } : timelineOf(own);
  const keys = pair?.keys ?? timeline.map(({ key }) => key);
  const chart = {
    pointName: unit === "month" ? "Month" : "Year",
    points: keys,
    // Bars of two periods would stand on each other.
    kind: pair ? ("lines" as const) : ("bars" as const),
    label: shownMonth,
    newestFirst: true,
  };
  const seriesOf = (name: string, colour: SeriesColour, valueOf: (point: Point) => number): ChartSeries[] => [
    { name, values: timeline.map(valueOf), colour },
    ...(pair ? [{ name: "Period before", values: pair.before.map(valueOf), colour: "--series-other" as const }] : []),
  ];
  return (
    <>
      <div class="card chart-wide">
        <Chart
          {...chart}
          title={`Rounds by ${unit}`}
          series={seriesOf("Rounds", "--series-1", (point) => point.count)}
        />
        {leftOut > 0 && (
          <p class="muted">
            {count(leftOut)} {leftOut === 1 ? "round" : "rounds"} before {shownMonth(keys[0]!)}{" "}
            {leftOut === 1 ? "is" : "are"} not shown.
          </p>
        )}
      </div>
      <div class="card chart-wide">
        <Chart
          {...chart}
          title={`Amounts by ${unit}, US$`}
          series={seriesOf("Disclosed amounts", "--series-3", ({ amount }) => amount)}
          format={money}
        />
      </div>
    </>
  );
}
