import { describe, expect, test } from "vitest";
import type { FundingDocument } from "../documents/funding.ts";
import type { CompanyDocument } from "../documents/companies.ts";
import { anyOf, atLeast, atMost, between, clauses, either, type Filter, hasValue, noneOf } from "./filters.ts";
import type { Order } from "./list-query.ts";
import { createMatches } from "./matches.ts";

const FILTERS = [
  ...anyOf<FundingDocument>("country", ["US", "DE"]),
  ...anyOf<FundingDocument>("investor_keys", ["accel"]),
  ...anyOf<FundingDocument>("investor_keys", ["index"]),
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

const DETECTIONS = between<CompanyDocument>("signal_detections", "hiring@2013-10-01", "hiring@9999-12-31");
const EITHER = either([
  ...anyOf<FundingDocument>("company_id", ["co-1"]),
  ...anyOf<FundingDocument>("company_keys", ["acme"]),
]);

test("exclusion, presence, ranges of texts and alternatives are one clause each", () => {
  expect(clauses([...noneOf<FundingDocument>("country", ["US"]), ...EITHER, ...DETECTIONS])).toEqual([
    { bool: { must_not: { terms: { country: ["US"] } } } },
    {
      bool: {
        should: [{ terms: { company_id: ["co-1"] } }, { terms: { company_keys: ["acme"] } }],
        minimum_should_match: 1,
      },
    },
    { range: { signal_detections: { gte: "hiring@2013-10-01", lte: "hiring@9999-12-31" } } },
  ]);
  expect(clauses(hasValue<FundingDocument>("amount_usd", true))).toEqual([{ exists: { field: "amount_usd" } }]);
  expect(clauses(hasValue<FundingDocument>("amount_usd", false))).toEqual([
    { bool: { must_not: { exists: { field: "amount_usd" } } } },
  ]);
});

describe("as a predicate", () => {
  test.each<[string, Filter[], object, boolean]>([
    ["exclusion matches another value", noneOf<FundingDocument>("country", ["US"]), { country: "DE" }, true],
    ["exclusion matches no value", noneOf<FundingDocument>("country", ["US"]), { country: null }, true],
    ["exclusion matches an unknown field", noneOf<FundingDocument>("country", ["US"]), {}, true],
    [
      "exclusion refuses a list with the value",
      noneOf<FundingDocument>("investor_keys", ["a"]),
      { investor_keys: ["b", "a"] },
      false,
    ],
    ["0 is a value", hasValue<FundingDocument>("amount_usd", true), { amount_usd: 0 }, true],
    ["null is not a value", hasValue<FundingDocument>("amount_usd", false), { amount_usd: null }, true],
    ["an empty list is not a value", hasValue<FundingDocument>("investor_keys", true), { investor_keys: [] }, false],
    [
      "a range needs one value in it",
      DETECTIONS,
      { signal_detections: ["award@2013-10-02", "hiring@2013-10-01"] },
      true,
    ],
    [
      "a range is not met by values around it",
      DETECTIONS,
      { signal_detections: ["award@2013-10-02", "hiring@2013-09-30", "hiring_surge@2013-10-05"] },
      false,
    ],
    ["the first alternative is enough", EITHER, { company_id: "co-1", company_keys: [] }, true],
    ["the second alternative is enough", EITHER, { company_id: "co-2", company_keys: ["acme"] }, true],
    ["one alternative must hold", EITHER, { company_id: "acme", company_keys: ["co-1"] }, false],
  ])("%s", (_, filters, state, expected) => expect(createMatches(filters)(state as never)).toBe(expected));
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
    anyOf<FundingDocument>("tech_keys", ["node-js"]),
    // @ts-expect-error: an object can't be searched
    anyOf<{ profile: { domain: string } }>("profile", ["a.example"]),
    // @ts-expect-error: a number is compared with a text
    atLeast<FundingDocument>("amount_usd", "10"),
    // @ts-expect-error: a day is compared with a number
    atMost<FundingDocument>("announced_date", 2013),
  ];
  // @ts-expect-error: misspelt
  const order: Order<FundingDocument> = { field: "amount", direction: "asc", by: "amounts" };
  expect([wrong.length, order.by]).toEqual([6, "amounts"]);
});
