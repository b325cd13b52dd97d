import { describe, expect, test } from "vitest";
import { byLines, bySuggestion, daysIn, namesOf, ofType, questionsOf } from "../../../tests/support/by-suggestion.ts";

describe("rows of other events are no rounds", () => {
  test("deals of all kinds", async () => {
    const made = await byLines([
      "Company,Date,Deal Type,Amount,Investors",
      "A,2020-01-13,Series A,$1M,Blue",
      "B,2020-01-14,M&A,$200M,Big Corp",
      "C,2020-01-15,Acquisition,,Huge Corp",
      "D,2020-01-16,Seed,$2M,Red",
    ]);
    expect([questionsOf(made), made.refused, daysIn(made)]).toEqual([[], [], ["2020-01-13", "2020-01-16"]]);
    expect(namesOf(made, "investor")).toEqual(["Blue", "Red"]);
    expect(ofType(made, "round")).toMatchObject([{ deal_type: "series_a" }, { deal_type: "seed" }]);
    expect(made.suggestion!.notes).toContain(
      "Rows whose 'Deal Type' is 'M&A', 'Acquisition' are not rounds. They give only companies.",
    );
  });

  test("a nested list of events", async () => {
    const events = [
      { kind: "funding", date: "2020-01-13", amount_usd: 1_500_000 },
      { kind: "layoff", date: "2021-01-13", amount_usd: 50 },
    ];
    expect(daysIn(await bySuggestion(JSON.stringify([{ company: "A", events }])))).toEqual(["2020-01-13"]);
  });

  test("acquisitions of which only the buyer's column says so", async () => {
    const made = await byLines([
      "Acquired Company,Acquired By,Acquisition Date,Acquisition Value",
      "Small,Big,2023-01-13,$120M",
    ]);
    expect([questionsOf(made), made.suggestion!.kind]).toEqual([[], "acquisitions"]);
  });

  test.each([
    ["Funding Date,Amount Raised,Acquired By", "2020-01-13,$1M,Big Corp"],
    ["Date,Amount,Exit Type", "2020-01-13,$1M,Acquisition"],
    ["Date,Round,Amount,Company Type", "2020-01-13,Seed,$1M,Acquired"],
  ])("a round of a company that was acquired later is one: %s", async (header, row) => {
    const made = await byLines([`Company,${header}`, `A,${row}`]);
    expect([questionsOf(made), daysIn(made)]).toEqual([[], ["2020-01-13"]]);
  });
});
