import { isLikelySum, isSum } from "../mapping/totals.ts";
import type { Column } from "./roles.ts";
import type { Sample } from "./sample.ts";

/** The names of the rows in a sample that sum up others, each once. The last row is known only where the sample is the whole file. */
export function totalsIn({ rows, isWhole }: Sample, company: Column): string[] {
  const texts = rows.map((row) => row[company.name]!.trim()).filter((text) => text !== "");
  // Rows are left out by their name in any case.
  const sums = new Map(texts.filter(isSum).map((text) => [text.toLowerCase(), text]));
  const last = texts.at(-1);
  const isOnce = last !== undefined && texts.filter((text) => text.toLowerCase() === last.toLowerCase()).length === 1;
  // None of these is the name of the last company, and of no other row, by chance.
  if (isWhole && isOnce && isLikelySum(last)) sums.set(last.toLowerCase(), last);
  return [...sums.values()];
}
