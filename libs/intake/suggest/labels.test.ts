import { expect, test } from "vitest";
import { bySuggestion, ofType, questionsOf } from "../../../tests/support/by-suggestion.ts";

test("a name of rounds that holds their types is used, and empty columns raise no question", async () => {
  const read = await bySuggestion(
    "Company,Round Date,Round Name,Round Amount (in USD),Round Post Money Valuation (in USD),Round Revenue Multiple\n" +
      "Acme,2024-01-13,Series A,5400000,,\nBeta,2024-02-14,Seed,890000,,\n",
  );
  expect(questionsOf(read)).toEqual([]);
  expect(ofType(read, "round").map(({ deal_type: type }) => type)).toEqual(["series_a", "seed"]);
});
