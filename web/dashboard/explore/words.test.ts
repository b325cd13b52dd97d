import { expect, test } from "vitest";
import { shownWord } from "./words.ts";

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
