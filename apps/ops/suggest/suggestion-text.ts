import type { SourceLocation } from "@tranche/intake/sources/item";
import type { previewOf } from "@tranche/intake/suggest/preview";
import type { Suggestion } from "@tranche/intake/suggest/suggest";
import { counted, shownNumber } from "@tranche/shared/domain/text/numbers";
import { table } from "../terminal/table.ts";

const SHOWN_ROWS = 10;
const SHOWN_REFUSALS = 5;

/** A line for each column, and what concerns the file as a whole. */
export function suggestionLines({ columns, notes, kind, sample }: Suggestion): string[] {
  return [
    ...columns.map(({ column, samples, meaning, sure, why }) => {
      const held = samples === "" ? "" : ` (${samples})`;
      return meaning === undefined
        ? `not used: '${column}'${held}: ${why}`
        : `'${column}'${held}: ${meaning}; ${sure === "asked" ? "see the question" : sure}: ${why}`;
    }),
    ...notes,
    ...(sample.path === undefined ? [] : ["--answer for_each=… names another list, or none."]),
    ...(kind === "rounds" || kind === "companies" ? [] : ["--answer kind=rounds reads them as rounds."]),
  ];
}

/** The rows as they will be listed. Amounts whose rate is open are shown in their own currency. */
export function previewLines({
  rows,
  good,
  entries,
  lines,
  isRateOpen,
}: Awaited<ReturnType<typeof previewOf>>): string[] {
  const first = entries.flatMap((entry) => ("listed" in entry ? [entry.listed] : [])).slice(0, SHOWN_ROWS);
  const refused = entries.flatMap((entry) => ("refused" in entry ? [entry] : [])).slice(0, SHOWN_REFUSALS);
  return [
    ...(isRateOpen ? ["Below, amounts are in the currency of the file, because its rate in US dollars is open."] : []),
    ...(first.length > 0
      ? [table(["day", "company", "country", "type", isRateOpen ? "amount" : "US dollars", "investors"], first, "")]
      : []),
    ...lines,
    ...refused.map(({ at, refused: reason }) => `${placeOf(at)} is refused: ${reason}`),
    `${shownNumber(good)} of the first ${counted(rows, "row")} give records.`,
  ];
}

const placeOf = (at: SourceLocation): string =>
  "line" in at ? `line ${at.line}` : "element" in at ? `element ${at.element}` : "the file";
