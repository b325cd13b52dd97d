import { anyOf } from "./condition.ts";

/** Texts in place of a company where a row sums up others. */
const SUMS =
  "(?:grand|sub|overall)[ -]?totals?|totals|(?:gesamt|zwischen)summe|total g[ée]n[ée]ral|合计|总计|小计|合計|итого|всего";
/** Companies may have these names, too. */
const LIKELY_SUMS = `${SUMS}|total|summe|gesamt|insgesamt|somme|suma|totale|sum`;

/** Whether a text in place of a company says that the row sums up others. */
export const isSum = anyOf([`(?:${SUMS})[: ]*`]);
/** As `isSum`, with words that companies have as names, too. */
export const isLikelySum = anyOf([`(?:${LIKELY_SUMS})[: ]*`]);
