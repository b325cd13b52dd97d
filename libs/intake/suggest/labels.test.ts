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

test.each([
  ["Nr", ["1", "2", "3"], "rnd-a-2020-01-13-1"],
  ["ID", ["0", "1", "2"], "rnd-a-2020-01-13-1"],
  ["ID", ["1", "2", "3"], "rnd-1"],
  ["ID", ["4711", "4712", "4713"], "rnd-4711"],
  ["ID", ["1", "3", "4"], "rnd-1"],
  ["Deal ID", ["1", "2", "3"], "rnd-1"],
])("the numbers of rows are no ids: %s %j", async (name, numbers, id) => {
  const rows = numbers.map((number, n) => `${number},${"abc"[n]},2020-01-1${n + 3},$1M`);
  const [round] = ofType(await bySuggestion([`${name},Company,Date,Amount`, ...rows].join("\n")), "round");
  expect(round).toMatchObject({ id });
});
