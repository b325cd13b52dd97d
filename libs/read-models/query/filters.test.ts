import { describe, expect, test } from "vitest";
import type { FundingDocument } from "../documents/funding.ts";
import { allOf, anyOf, atLeast, atMost, clauses } from "./filters.ts";
import type { Order } from "./list-query.ts";
import { createMatches } from "./matches.ts";

const FILTERS = [
  ...anyOf<FundingDocument>("country", ["US", "DE"]),
  ...allOf<FundingDocument>("investor_keys", ["accel", "index"]),
  ...atLeast<FundingDocument>("amount_usd", 10),
  ...atMost<FundingDocument>("amount_usd", 20),
  ...atLeast<FundingDocument>("announced_date", "2013-01-01"),
];

test("filters are one clause per condition, and one range per field", () => {
  expect(clauses(FILTERS)).toEqual([
    { terms: { country: ["US", "DE"] } },
    { terms: { investor_keys: ["accel"] } },
    { terms: { investor_keys: ["index"] } },
    { range: { amount_usd: { gte: 10, lte: 20 } } },
    { range: { announced_date: { gte: "2013-01-01" } } },
  ]);
});

describe("as a predicate, filters", () => {
  const matches = createMatches(FILTERS);
  const state = { country: "DE", investor_keys: ["index", "accel"], amount_usd: 20, announced_date: "2013-01-01" };

  test("match a document for which all of them hold", () => expect(matches(state)).toBe(true));

  test.each([
    ["another value", { country: "FR" }],
    ["one of two values that must both be there", { investor_keys: ["accel"] }],
    ["a number above the bound", { amount_usd: 20.01 }],
    ["a day before the bound", { announced_date: "2012-12-31" }],
    ["no value", { amount_usd: null }],
  ])("do not match %s", (_, other) => expect(matches({ ...state, ...other })).toBe(false));
});

// Checked by tsc: each of these lines must be an error, or its comment is one.
test("fields that a document lacks, and values of another type, do not compile", () => {
  const wrong = [
    // @ts-expect-error: misspelt
    anyOf<FundingDocument>("contry", ["US"]),
    // @ts-expect-error: no document is named
    anyOf("country", ["US"]),
    // @ts-expect-error: a field of the other read model
    allOf<FundingDocument>("tech_keys", ["node-js"]),
    // @ts-expect-error: an object can't be searched
    anyOf<{ profile: { domain: string } }>("profile", ["a.example"]),
    // @ts-expect-error: a number is compared with a text
    atLeast<FundingDocument>("amount_usd", "10"),
    // @ts-expect-error: a day is compared with a number
    atMost<FundingDocument>("announced_date", 2013),
  ];
  // @ts-expect-error: misspelt
  const order: Order<FundingDocument> = { field: "amount", direction: "asc", by: "dollars" };
  expect([wrong.length, order.by]).toEqual([6, "dollars"]);
});
