import { anyOf } from "../mapping/condition.ts";
import type { Column } from "./roles.ts";
import type { Sample } from "./sample.ts";

/** Texts in place of a company where a row sums up others. */
const SUMS =
  "(?:grand|sub|overall)[ -]?totals?|totals|(?:gesamt|zwischen)summe|total g[ée]n[ée]ral|合计|总计|小计|合計|итого|всего";
/** Companies may have these names, but none is the last one of a file by chance. */
const LAST_SUMS = `${SUMS}|total|summe|gesamt|insgesamt|somme|suma|totale|sum`;
const [isSum, isLastSum] = [anyOf([`(?:${SUMS})[: ]*`]), anyOf([`(?:${LAST_SUMS})[: ]*`])];

/** The name of the rows in a sample that sum up others; undefined where there are none. */
export function totalsIn({ rows }: Sample, company: Column): string | undefined {
  const texts = rows.map((row) => row[company.name]!.trim()).filter((text) => text !== "");
  const last = texts.at(-1);
  return texts.find((text) => isSum(text)) ?? (last !== undefined && isLastSum(last) ? last : undefined);
}
