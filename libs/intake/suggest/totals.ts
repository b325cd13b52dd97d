import { anyOf } from "../mapping/condition.ts";
import type { Column } from "./roles.ts";
import type { Sample } from "./sample.ts";

/** Texts in place of a company where a row sums up others. */
const SUMS =
  "(?:grand|sub|overall)[ -]?totals?|totals|(?:gesamt|zwischen)summe|total g[ée]n[ée]ral|合计|总计|小计|合計|итого|всего";
/** Companies may have these names, but none is the last one of a file, and has no other row, by chance. */
const LAST_SUMS = `${SUMS}|total|summe|gesamt|insgesamt|somme|suma|totale|sum`;
const [isSum, isLastSum] = [anyOf([`(?:${SUMS})[: ]*`]), anyOf([`(?:${LAST_SUMS})[: ]*`])];

/** The names of the rows in a sample that sum up others, each once. The last row is known only where the sample is the whole file. */
export function totalsIn({ rows, isWhole }: Sample, company: Column): string[] {
  const texts = rows.map((row) => row[company.name]!.trim()).filter((text) => text !== "");
  // Rows are left out by their name in any case.
  const sums = new Map(texts.filter(isSum).map((text) => [text.toLowerCase(), text]));
  const last = texts.at(-1);
  const isOnce = last !== undefined && texts.filter((text) => text.toLowerCase() === last.toLowerCase()).length === 1;
  if (isWhole && isOnce && isLastSum(last)) sums.set(last.toLowerCase(), last);
  return [...sums.values()];
}
