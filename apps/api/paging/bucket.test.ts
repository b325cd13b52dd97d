import { describe, expect, test } from "vitest";
import type { Order } from "@tranche/read-models/query/list-query";
import { inOrder, bucketWindowOf, type Bucket, within } from "./bucket.ts";

const buckets: Bucket[] = [
  { from: "2012-01-01", to: "2012-02-01", count: 10 },
  { from: "2012-03-01", to: "2012-04-01", count: 5 },
  { from: "2012-04-01", to: "2012-05-01", count: 20 },
  { missing: true, count: 7 },
];
const asc: Order = { field: "d", direction: "asc", by: "days" };
const desc: Order = { field: "d", direction: "desc", by: "days" };

describe("the bucket window of a page", () => {
  test("begins in the bucket that contains its first row", () => {
    expect(bucketWindowOf(buckets, 12, 2)).toEqual({ buckets: [buckets[1]], skip: 2, full: true });
  });

  test("reaches into as many buckets as the page needs", () => {
    expect(bucketWindowOf(buckets, 9, 10)).toEqual({ buckets: buckets.slice(0, 3), skip: 9, full: true });
  });

  test("is not full at the end of the list", () => {
    expect(bucketWindowOf(buckets, 40, 10)).toEqual({ buckets: [buckets[3]], skip: 5, full: false });
  });

  test("is undefined after the last row", () => {
    expect(bucketWindowOf(buckets, 42, 1)).toBeUndefined();
  });
});

test("a descending list reverses values, but not ids, and rows without a value come last", () => {
  expect(inOrder(buckets, desc)).toEqual([buckets[2], buckets[1], buckets[0], buckets[3]]);
  const group: Bucket = { missing: true, count: 7 };
  const ids: Bucket[] = [
    { group, ids: { from: null, to: "b" }, count: 3 },
    { group, ids: { from: "b", to: null }, count: 4 },
  ];
  expect(inOrder(ids, desc)).toEqual(ids);
});

describe("the condition of buckets", () => {
  test("goes from the lowest value to the highest, in both directions", () => {
    const range = { range: { d: { gte: "2012-01-01", lt: "2012-04-01" } } };
    expect(within(buckets.slice(0, 2), { order: asc, idField: "id" })).toEqual(range);
    expect(within(buckets.slice(0, 2).toReversed(), { order: desc, idField: "id" })).toEqual(range);
  });

  test("combines ids of one value with the buckets after them", () => {
    const group = { from: "2012-04-01", to: "2012-04-02", count: 7 };
    const found = within([{ group, ids: { from: "b", to: null }, count: 4 }, buckets[3]!], {
      order: asc,
      idField: "id",
    });
    expect(found).toEqual({
      bool: {
        should: [
          {
            bool: {
              filter: [{ range: { d: { gte: "2012-04-01", lt: "2012-04-02" } } }, { range: { id: { gte: "b" } } }],
            },
          },
          { bool: { must_not: { exists: { field: "d" } } } },
        ],
        minimum_should_match: 1,
      },
    });
  });
});
