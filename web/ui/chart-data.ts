/** One line or one layer of the bars. A line may end before the last point. `colour` is the name of a token. */
export type ChartSeries = { name: string; values: readonly number[]; colour: SeriesColour };
export type SeriesColour = "--series-1" | "--series-2" | "--series-3" | "--series-4" | "--series-5" | "--series-other";

export type ChartData = {
  /** Evenly spaced: days, months or categories. */
  points: readonly string[];
  series: readonly ChartSeries[];
  /** Bars are stacked, the first series at the bottom. */
  kind: "bars" | "lines";
  /** A point as the legend and the table show it. */
  label: (point: string) => string;
  /** A point as the axis shows it, where there is little room. */
  axisLabel: (point: string) => string;
  format: (value: number) => string;
};
