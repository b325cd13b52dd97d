import type { AccountView } from "../data.ts";

type Line = AccountView["usage"][number];
type Status = Line["status"];

export const DAYS = 90;
const DAY_MS = 86_400_000;
const STATUSES: readonly Status[] = ["2xx", "3xx", "4xx", "5xx"];

/** The last 90 days up to the one of `now` (ms, UTC), and the requests of each by kind of answer. Kinds without any are left out. */
export function usageSeries(
  lines: readonly Line[],
  now: number,
): { days: string[]; series: { status: Status; values: number[] }[] } {
  const days = Array.from({ length: DAYS }, (_, n) =>
    new Date(now - (DAYS - 1 - n) * DAY_MS).toISOString().slice(0, 10),
  );
  const position = new Map(days.map((day, n) => [day, n]));
  const counts = new Map(STATUSES.map((status) => [status, days.map(() => 0)]));
  for (const { day, status, requests } of lines) {
    const at = position.get(day);
    if (at !== undefined) counts.get(status)![at]! += requests;
  }
  const series = [...counts].map(([status, values]) => ({ status, values }));
  return { days, series: series.filter(({ values }) => values.some((value) => value > 0)) };
}

/** Classes of status as series of a chart: name and colour. */
export const CLASS_SERIES = {
  "2xx": ["Answered", "--series-1"],
  "3xx": ["Not modified", "--series-3"],
  "4xx": ["Refused", "--series-2"],
  "5xx": ["Failed", "--series-4"],
} as const;
