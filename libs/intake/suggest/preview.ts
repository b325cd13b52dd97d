import { parseMapping } from "../mapping/mapping.ts";
import type { Vocabulary } from "../mapping/rows.ts";
import type { Mapping } from "../mapping/schema.ts";
import type { Beginning } from "./beginning.ts";
import { type Profile, profileOf } from "./profile.ts";
import type { Suggestion } from "./suggest.ts";

/** The rows of a file by its suggested mapping. While the rate of its currency is open, amounts are in that currency. */
export async function previewOf(
  suggestion: Suggestion,
  beginning: Beginning,
  vocabulary: Vocabulary,
): Promise<Profile & { isRateOpen: boolean }> {
  const mapping = parseMapping(suggestion.mapping, "the suggested mapping");
  const isRateOpen = suggestion.questions.some(({ id }) => id === "rates");
  const shown = isRateOpen && mapping.values["amount"]?.currency ? withUnitRates(mapping, suggestion) : mapping;
  return { ...(await profileOf(beginning, shown, vocabulary)), isRateOpen };
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
