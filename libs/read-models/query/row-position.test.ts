import { describe, expect, test } from "vitest";
import { LISTED, listQuery } from "./list-query.ts";
import type { Order } from "./order.ts";
import { fitsOrder, positionOf, searchAfter } from "./row-position.ts";

const order = (by: Order["by"]): Order => ({ field: "f", direction: "asc", by });

describe("a position", () => {
  test.each([
    ["days", [1_367_366_400_000, "a"], "2013-05-01"],
    ["days", [-62_135_596_800_000, "a"], "0001-01-01"],
    ["amounts", [2_500_000.5, "a"], 2_500_000.5],
    ["amounts", [0, "a"], 0],
    ["points", [37, "a"], 37],
    ["names", ["acme", "a"], "acme"],
    ["names", ["", "a"], ""],
  ] as const)("of a row ordered by %s is read from its sort and written for the next page", (by, sorted, value) => {
    expect(positionOf(order(by), sorted)).toEqual({ value, id: "a" });
    expect(searchAfter(order(by), { value, id: "a" })).toEqual(sorted);
    expect(fitsOrder(order(by), { value, id: "a" })).toBe(true);
  });

  test.each([
    // What Elasticsearch sends for missing values, ascending and descending, as JavaScript reads it.
    ["days", 2 ** 63],
    ["days", -(2 ** 63)],
    ["amounts", "Infinity"],
    ["amounts", "-Infinity"],
    ["points", 2 ** 63],
    ["points", 2 ** 31 - 1],
    ["points", -(2 ** 31)],
    ["names", null],
  ] as const)("of a row without a value, by %s, has null", (by, missing) => {
    expect(positionOf(order(by), [missing, "a"])).toEqual({ value: null, id: "a" });
    expect(positionOf(order(by), ["a"])).toEqual({ value: null, id: "a" });
    expect(searchAfter(order(by), { value: null, id: "a" })).toEqual(["a"]);
  });

  test.each([
    ["days", 5],
    ["days", "2013-02-30"],
    ["days", "soon"],
    ["amounts", "5"],
    ["amounts", -1],
    ["points", 1.5],
    ["points", 1e300],
    ["names", 5],
  ] as const)("by %s does not have the value %s", (by, value) =>
    expect(fitsOrder(order(by), { value, id: "a" })).toBe(false),
  );
});

test("a page after a row without a value is searched among rows without one, by id", () => {
  const list = { filters: LISTED, order: order("amounts"), idField: "id", source: [] };
  const page = { limit: 3, offset: 0, after: { value: null, id: "a" } };
  expect(listQuery({ ...list, page })).toMatchObject({
    query: { bool: { filter: [{ term: { listed: true } }, { bool: { must_not: { exists: { field: "f" } } } }] } },
    sort: [{ id: { order: "asc" } }],
    search_after: ["a"],
  });
});
