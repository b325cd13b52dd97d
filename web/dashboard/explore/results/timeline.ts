import { monthsOf, type Periods } from "./periods.ts";

/** The rounds announced in a month or a year. */
export type Point = { key: string; count: number; amount: number };

/** More bars than this can't be distinguished. */
const MOST_MONTHS = 120;
/** Rounds before the chart begins: at most this share of all. */
const FEW = 0.01;

/**
 * Months as they are, or summed up to years when there are many. A line of years may begin with a few rounds of long ago: `leftOut`
 * counts those before `points`, which begin where there are more.
 */
export function timelineOf(months: readonly Point[]): {
  unit: "month" | "year";
  points: readonly Point[];
  leftOut: number;
} {
  const { points, leftOut } = fromWhereItBegins(months);
  if (points.length <= MOST_MONTHS) return { unit: "month", points, leftOut };
  return { unit: "year", ...fromWhereItBegins(yearsOf(months)) };
}

/**
 * The points of a period up to today and, at the same places, all of the period before. `keys` are those of the whole period. Undefined
 * when no two of them belong together: a number of days begins somewhere in a month.
 */
export function comparedTimelines(
  [months, earlier]: readonly [readonly Point[], readonly Point[]],
  { now, before, soFar, months: length }: Periods,
): { unit: "month" | "year"; keys: string[]; points: readonly Point[]; before: readonly Point[] } | undefined {
  if (length === undefined) return undefined;
  const keys = monthsOf(now);
  const [points, others] = [everyMonth(months, soFar.now), everyMonth(earlier, before)];
  if (keys.length <= MOST_MONTHS) return { unit: "month", keys, points, before: others };
  if (length % 12 !== 0) return undefined;
  const years = [...new Set(keys.map((key) => key.slice(0, 4)))];
  return { unit: "year", keys: years, points: yearsOf(points), before: yearsOf(others) };
}

function everyMonth(months: readonly Point[], period: Periods["now"]): Point[] {
  const known = new Map(months.map((month) => [month.key, month]));
  return monthsOf(period).map((key) => known.get(key) ?? { key, count: 0, amount: 0 });
}

function yearsOf(months: readonly Point[]): Point[] {
  const years = new Map<string, Point>();
  for (const { key, count, amount } of months) {
    const year = key.slice(0, 4);
    const sum = years.get(year) ?? { key: year, count: 0, amount: 0 };
    years.set(year, { key: year, count: sum.count + count, amount: sum.amount + amount });
  }
  return [...years.values()];
}

/** Without the long beginning that has next to nothing. A short one stays, because there it is no harm. */
function fromWhereItBegins(all: readonly Point[]): { points: readonly Point[]; leftOut: number } {
  const most = FEW * all.reduce((sum, { count }) => sum + count, 0);
  let leftOut = 0;
  const begin = all.findIndex(({ count }) => (leftOut += count) > most);
  if (begin <= all.length / 4) return { points: all, leftOut: 0 };
  return { points: all.slice(begin), leftOut: leftOut - all[begin]!.count };
}
