import { expect, test } from "vitest";
import { shownWord, withLabels } from "./words.ts";

test.each([
  ["series_a", "Series A"],
  ["pre_seed", "Pre-seed"],
  ["post_ipo_debt", "Post IPO debt"],
  ["just_raised", "Just raised"],
  ["ai_stack", "AI stack"],
  ["amount_desc", "Amount, highest first"],
  ["signal_score_asc", "Signal score, lowest first"],
  ["name_asc", "Name, A to Z"],
])("%s is shown as %s", (word, shown) => {
  expect(shownWord(word)).toBe(shown);
});

test.each([
  ["'min_amount_usd' is above 'max_amount_usd'.", "“Lowest amount” is above “Highest amount”."],
  ["min_amount_usd: expected a number", "“Lowest amount”: expected a number"],
  ["There is no parameter 'nonsense' here.", "There is no parameter 'nonsense' here."],
  ["Unknown country 'ger'. Valid: series_a, seed.", "Unknown country 'ger'. Valid: series_a, seed."],
])("%s is read as %s", (text, shown) => {
  expect(withLabels(text)).toBe(shown);
});
