import type { FundingDocument } from "@tranche/read-models/documents/funding";
import { expect, test } from "vitest";
import { anyOf, atLeast, atMost, type Filter } from "@tranche/read-models/query/filters";
import { upperBoundOf } from "./upper-bound.ts";
import type { Bucket } from "./bucket.ts";

/** A hundred rows per month. */
const months: Bucket[] = Array.from({ length: 24 }, (_, n) => {
  const first = (month: number) => `${2012 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-01`;
  return { from: first(n), to: first(n + 1), count: 100 };
});
const order = { field: "d", direction: "asc", by: "days" } as const;
const reach = (filters: Filter[], count: number, offset = 0) =>
  upperBoundOf([...months, { missing: true, count: 50 }], { filters, order, page: { offset, limit: 10 } }, count);

test("filters that find fewer rows raise the bound of the first page", () => {
  expect(reach([], 2400)).toBe("2012-02-01");
  expect(reach(anyOf<FundingDocument>("country", ["US"]), 240)).toBe("2012-05-01");
  expect(reach(anyOf<FundingDocument>("country", ["US"]), 240, 10)).toBe("2012-09-01");
});

test("filters by the ordering field limit the buckets that are counted", () => {
  expect(reach(atLeast<{ d: string }>("d", "2012-06-15"), 1850)).toBe("2012-07-01");
  expect(
    reach([...atLeast<{ d: string }>("d", "2012-06-15"), ...atMost<{ d: string }>("d", "2012-07-10")], 70),
  ).toBeUndefined();
});

test("there is no bound when it would include most rows, or when no row matches", () => {
  expect(reach(anyOf<FundingDocument>("country", ["FO"]), 24)).toBeUndefined();
  expect(reach([], 0)).toBeUndefined();
});
