import { describe, expect, test } from "vitest";
import { FUNDING_SORTS } from "../funding.ts";
import { RAW_PLUS } from "../query-string.ts";
import { SIGNALS_SORTS } from "../signals.ts";
import { choice } from "./choice.ts";
import { date } from "./date.ts";
import { readKind } from "./kind.ts";
import { sort } from "./sort.ts";

describe("a date", () => {
  test.each(["2024-02-29", "2000-02-29", "1960-01-01", "9999-12-31"])("may be %s", (text) =>
    expect(readKind(date(), text)).toEqual({ value: text }),
  );

  test.each(["2024-02-30", "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-01-00"])(
    "may not be %s, which is in no calendar",
    (text) =>
      expect(readKind(date(), text)).toMatchObject({
        complaints: [{ message: `The calendar has no day ${text}.`, value: text }],
      }),
  );

  test.each([
    "2024-1-1",
    "01/02/2024",
    "tomorrow",
    "2024-01-01T00:00:00Z",
    "20240101",
    "2024-01-01 ",
    "-2024-01-01",
    "+002024-01-01",
  ])("may not be %s, which is of another form", (text) =>
    expect(readKind(date(), text)).toMatchObject({ complaints: [{ code: "malformed_value", value: text }] }),
  );
});

describe("a choice", () => {
  const kind = choice(["any", "all"]);

  test("is one of its words, exactly", () => {
    expect(readKind(kind, "all")).toEqual({ value: "all" });
    for (const text of ["ALL", "all ", `all${RAW_PLUS}`, "some"])
      expect(readKind(kind, text)).toHaveProperty("complaints");
  });

  test("reports the words, and the nearest one", () => {
    expect(readKind(kind, "alll")).toEqual({
      complaints: [
        {
          code: "unknown_value",
          expected: "one of any, all",
          value: "alll",
          suggestion: "all",
          hint: "Did you mean 'all'?",
          allowed: ["any", "all"],
        },
      ],
    });
    expect(readKind(kind, "whatever")).toMatchObject({
      complaints: [expect.not.objectContaining({ suggestion: expect.anything() as unknown })],
    });
  });
});

describe("an order", () => {
  const suggestionFor = (text: string, words: readonly [string, ...string[]]) => {
    const outcome = readKind(sort("Sort", words), text);
    return "complaints" in outcome ? outcome.complaints[0]!.suggestion : "none";
  };
  const funding = Object.keys(FUNDING_SORTS) as [string, ...string[]];
  const signals = Object.keys(SIGNALS_SORTS) as [string, ...string[]];

  test.each([
    ["amount", "amount_desc"],
    ["-amount", "amount_desc"],
    ["amount:asc", "amount_asc"],
    ["amount_usd desc", "amount_desc"],
    ["Amount_Descending", "amount_desc"],
    ["amunt", "amount_desc"],
    ["amount_dsc", "amount_desc"],
    ["smallest", "amount_asc"],
    ["date", "announced_date_desc"],
    ["announced_date", "announced_date_desc"],
    ["newest", "announced_date_desc"],
    ["oldest", "announced_date_asc"],
  ])("of rounds written as %s suggests %s", (text, suggestion) => {
    expect(suggestionFor(text, funding)).toBe(suggestion);
  });

  test.each([
    ["signal_score", "signal_score_desc"],
    ["-signal_score", "signal_score_desc"],
    ["score", "signal_score_desc"],
    ["name", "name_asc"],
    ["-name", "name_desc"],
    ["date", "latest_funding_desc"],
    ["amount", "amount_desc"],
  ])("of companies written as %s suggests %s", (text, suggestion) => {
    expect(suggestionFor(text, signals)).toBe(suggestion);
  });

  test.each(["whatever", "constructor", "-", "asc"])("written as %s suggests nothing", (text) => {
    expect(suggestionFor(text, funding)).toBeUndefined();
  });
});
