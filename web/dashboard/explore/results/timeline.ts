/** The rounds announced in a month or a year. */
export type Point = { key: string; count: number; amount: number };

/** More bars than this can't be distinguished. */
const MOST_MONTHS = 120;

/** Months as they are, or summed up to years when there are many. */
export function timelineOf(months: readonly Point[]): { unit: "month" | "year"; points: readonly Point[] } {
  if (months.length <= MOST_MONTHS) return { unit: "month", points: months };
  const years = new Map<string, Point>();
  for (const { key, count, amount } of months) {
    const year = key.slice(0, 4);
    const sum = years.get(year) ?? { key: year, count: 0, amount: 0 };
    years.set(year, { key: year, count: sum.count + count, amount: sum.amount + amount });
  }
  return { unit: "year", points: [...years.values()] };
}
