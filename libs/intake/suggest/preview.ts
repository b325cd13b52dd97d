import { parseMapping } from "../mapping/mapping.ts";
import type { Vocabulary } from "../mapping/rows.ts";
import type { Mapping } from "../mapping/schema.ts";
import type { Beginning } from "./beginning.ts";
import { type Profile, profileOf } from "./profile.ts";
import { currenciesIn } from "./rates.ts";
import type { Suggestion } from "./suggest.ts";

/** The rows of a file by its suggested mapping. While the rate of its currency is open, amounts are in that currency. */
export async function previewOf(
  suggestion: Suggestion,
  beginning: Beginning,
  vocabulary: Vocabulary,
): Promise<Profile & { isRateOpen: boolean }> {
  const mapping = parseMapping(suggestion.mapping, "the suggested mapping");
  const open = suggestion.questions.find(({ id }) => id === "rates");
  const shown = open ? withUnitRates(mapping, currenciesIn(open)) : mapping;
  return { ...(await profileOf(beginning, shown, vocabulary)), isRateOpen: open !== undefined };
}

function withUnitRates(mapping: Mapping, codes: readonly string[]): Mapping {
  const rates = Object.fromEntries(codes.map((code) => [code, 1]));
  const values = Object.entries(mapping.values).map(([name, value]) => [
    name,
    value.currency ? { ...value, currency: { ...value.currency, rates } } : value,
  ]);
  return { ...mapping, values: Object.fromEntries(values) as Mapping["values"] };
}
