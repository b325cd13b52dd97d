import { type Group, NOTHING } from "./group.ts";

/** One round with a wrong year must not make an answer of 20,000 empty months. A longer run of empty periods is left out. */
const LONGEST_GAP = 1000;

/** How a year, a quarter and a month are counted: periods in a year, and the text of the n-th. */
const FORMS = {
  year: { inYear: 1, text: () => "" },
  quarter: { inYear: 4, text: (n: number) => `-Q${n}` },
  month: { inYear: 12, text: (n: number) => `-${String(n).padStart(2, "0")}` },
} as const;
type Interval = keyof typeof FORMS;

/** All periods from one to another, both inclusive, such as `2013-Q2` to `2014-Q1`. */
export function periodsBetween(interval: Interval, first: string, last: string): string[] {
  const { inYear, text } = FORMS[interval];
  const position = (period: string) => {
    const [year, part = "1"] = period.split("-") as [string, string?];
    return Number(year) * inYear + Number(part.replace("Q", "")) - 1;
  };
  const start = position(first);
  return Array.from({ length: position(last) - start + 1 }, (_, n) => {
    const year = Math.floor((start + n) / inYear);
    return `${String(year).padStart(4, "0")}${text(((start + n) % inYear) + 1)}`;
  });
}

/** A run of periods without rows that is left out, from its first to its last. */
export type Gap = { first: string; last: string; periods: number };

/**
 * Adds a group of no rows for each period without rows between the first and the last of the groups, but for runs of more than 1,000.
 * `present`: all periods with rows, because not every group need be shown.
 */
export function filled<Details>(
  groups: readonly Group<Details>[],
  interval: Interval,
  present: ReadonlySet<string>,
): { groups: Group<Details>[]; gaps: Gap[] } {
  const periods = groups.map(({ key }) => key[0]!).sort();
  if (periods.length === 0) return { groups: [], gaps: [] };
  const runs: string[][] = [[]];
  for (const period of periodsBetween(interval, periods[0]!, periods.at(-1)!)) {
    if (!present.has(period)) runs.at(-1)!.push(period);
    else if (runs.at(-1)!.length > 0) runs.push([]);
  }
  const shown = runs.filter((run) => run.length <= LONGEST_GAP).flat();
  const gaps = runs.filter((run) => run.length > LONGEST_GAP);
  return {
    groups: [...groups, ...shown.map((period) => ({ key: [period], ...NOTHING }))],
    gaps: gaps.map((run) => ({ first: run[0]!, last: run.at(-1)!, periods: run.length })),
  };
}
