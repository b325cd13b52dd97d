import { tooManyGroups } from "./errors.ts";
import { type Group, NOTHING } from "./group.ts";

/** One round with a wrong year must not make an answer of 20,000 empty months. */
const MOST_EMPTY = 5000;

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

/**
 * Adds a group of no rows for each period without rows between the first and the last of the groups. `present`: all periods with rows,
 * because not every group need be shown. Throws the error of a refusal when that makes too many.
 */
export function filled<Details>(
  groups: readonly Group<Details>[],
  interval: Interval,
  present: ReadonlySet<string>,
): Group<Details>[] {
  const periods = groups.map(({ key }) => key[0]!).sort();
  if (periods.length === 0) return [];
  const [first, last] = [periods[0]!, periods.at(-1)!];
  const empty = periodsBetween(interval, first, last).filter((period) => !present.has(period));
  if (empty.length > MOST_EMPTY) {
    throw tooManyGroups(
      `There are ${empty.length.toLocaleString("en")} empty periods between ${first} and ${last}, and at most ${MOST_EMPTY.toLocaleString("en")} are shown. ` +
        "Narrow the rows with from and to, or group by longer periods.",
    );
  }
  return [...groups, ...empty.map((period) => ({ key: [period], ...NOTHING }))];
}
