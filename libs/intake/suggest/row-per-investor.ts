import type { Recognised } from "./columns.ts";
import type { Sample } from "./sample.ts";
import { splitAtCommas } from "../mapping/list-items.ts";
import { areNumbered, separatorOf } from "./list-value.ts";

/** From this share of rows on that repeat the round of the row before with another investor, a row is one investor. */
const ROW_PER_INVESTOR_FROM = 0.05;
/** Names have commas, too, but few do. */
const LISTED_FROM = 0.05;

/** Whether a round has a row for each of its investors. */
export function isRowPerInvestor(
  { rows }: Sample,
  { company, date, amount, deal_type, investors }: Recognised["chosen"],
): boolean {
  const name = investors?.column.name;
  if (name === undefined || investors!.more.length > 0) return false;
  const texts = rows.map((row) => row[name]!);
  const listed = texts.filter((text) => splitAtCommas(text).length > 1).length;
  // Lists of investors belong to a round that has one row.
  if (separatorOf(texts) !== undefined || areNumbered(texts) || listed > LISTED_FROM * rows.length) return false;
  const rounds = new Map<string, Set<string>>();
  for (const row of rows) {
    const key = JSON.stringify([company, date, amount, deal_type].map((each) => each && row[each.column.name]));
    rounds.set(key, (rounds.get(key) ?? new Set()).add(row[name]!));
  }
  const repeated = [...rounds.values()].reduce((sum, names) => sum + names.size - 1, 0);
  return repeated > ROW_PER_INVESTOR_FROM * rows.length;
}
