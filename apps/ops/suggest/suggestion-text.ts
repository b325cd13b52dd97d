import { parseMapping } from "@tranche/intake/mapping/mapping";
import type { Mapping } from "@tranche/intake/mapping/schema";
import { counted, shownNumber } from "@tranche/shared/domain/text/numbers";
import { table } from "../terminal/table.ts";
import { profileOf } from "./profile.ts";
import type { Suggestion } from "./suggest.ts";

/** A line for each column, and what concerns the file as a whole. */
export function suggestionLines({ columns, notes }: Suggestion): string[] {
  return [
    ...columns.map(({ column, samples, meaning, sure, why }) => {
      const held = samples === "" ? "" : ` (${samples})`;
      return meaning === undefined
        ? `not used: '${column}'${held}: ${why}`
        : `'${column}'${held}: ${meaning}; ${sure === "asked" ? "see the question" : sure}: ${why}`;
    }),
    ...notes,
  ];
}

/** The rows as they will be listed. Amounts whose rate is open are shown in their own currency. */
export function profileLines(suggestion: Suggestion, vocabulary: Parameters<typeof profileOf>[2]): string[] {
  const mapping = parseMapping(suggestion.mapping, "the suggested mapping");
  const ratesOpen = suggestion.questions.some(({ id }) => id === "rates");
  const currency = mapping.values["amount"]?.currency;
  const shown = ratesOpen && currency ? withUnitRates(mapping, suggestion) : mapping;
  const { rows, good, refused, first, lines } = profileOf(suggestion.sample.rows, shown, vocabulary);
  return [
    ...(ratesOpen ? ["Below, amounts are in the currency of the file, because its rate in US dollars is open."] : []),
    ...(first.length > 0
      ? [table(["day", "company", "country", "type", ratesOpen ? "amount" : "US dollars", "investors"], first, "")]
      : []),
    ...lines,
    ...refused.map(({ row, reason }) => `row ${row} is refused: ${reason}`),
    `${shownNumber(good)} of the first ${counted(rows, "row")} give records.`,
  ];
}

function withUnitRates(mapping: Mapping, { questions }: Suggestion): Mapping {
  const codes =
    questions
      .find(({ id }) => id === "rates")
      ?.free?.split(",")
      .map((each) => each.split("=")[0]!) ?? [];
  const amount = mapping.values["amount"]!;
  const currency = { ...amount.currency!, rates: Object.fromEntries(codes.map((code) => [code, 1])) };
  return { ...mapping, values: { ...mapping.values, amount: { ...amount, currency } } };
}
