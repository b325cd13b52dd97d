import type { FundingDocument } from "@tranche/read-models/documents/funding";
import { anyOf, atLeast, atMost, type Filter } from "@tranche/read-models/query/filters";
import type { Order } from "@tranche/read-models/query/order";
import { expect, test } from "vitest";
import { ChangeLog } from "../cache/change-log.ts";
import { type Bucket, sumOf } from "./bucket.ts";
import type { BucketLists } from "./bucket-lists.ts";
import { createGuess } from "./guess.ts";

/** A thousand rows per month. */
const months: Bucket[] = Array.from({ length: 24 }, (_, n) => {
  const first = (month: number) => `${2012 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-01`;
  return { from: first(n), to: first(n + 1), count: 1000 };
});
/** The rows of a month, when it is divided. */
const halves = ({ from, to }: { from: string; to: string }): Bucket[] => [
  { from, to: from.replace(/01$/, "16"), count: 500 },
  { from: from.replace(/01$/, "16"), to, count: 500 },
];
const buckets = [...months, { missing: true as const, count: 500 }];
const generation = new ChangeLog().add("1", undefined);

/** The condition that ends the first page of ten rows. */
async function endOf(
  filters: Filter[],
  count: number,
  {
    direction = "asc",
    offset = 0,
    maxScannedRows = 1000,
  }: Partial<Order> & { offset?: number; maxScannedRows?: number } = {},
) {
  const lists: BucketLists = {
    whole: async () => ({ buckets, count: sumOf(buckets) }),
    divided: async (_index, _list, bucket) => ({ buckets: halves(bucket as never), count: bucket.count }),
    isOfOneValue: () => false,
  };
  const guess = createGuess({ lists, maxScannedRows, maxScannedGroup: maxScannedRows });
  const order: Order = { field: "d", direction, by: "days" };
  const request = { filters, order, idField: "id", page: { limit: 10, offset }, source: [], generation };
  const end = await guess("funding", request, { rows: offset + 10, count });
  return end?.query?.range?.["d"];
}
const GERMAN = anyOf<FundingDocument>("country", ["DE"]);

test("the end of a page leaves room for matches that are not spread evenly", async () => {
  expect(await endOf([], 24_500)).toEqual({ lt: "2012-02-01" });
  expect(await endOf(GERMAN, 2450, { maxScannedRows: 100 })).toEqual({ lt: "2012-02-01" });
  expect(await endOf(GERMAN, 2450, { maxScannedRows: 100, offset: 40 })).toEqual({ lt: "2012-03-01" });
});

test("a list that descends ends at the lower bound of a bucket", async () => {
  expect(await endOf(GERMAN, 2450, { maxScannedRows: 100, direction: "desc" })).toEqual({ gte: "2013-12-01" });
});

test("a bucket with more matches than are scanned is divided", async () => {
  expect(await endOf([], 24_500, { maxScannedRows: 999 })).toEqual({ lt: "2012-01-16" });
});

test("a page in the bounds of its filters ends in them", async () => {
  const from = atLeast<{ d: string }>("d", "2012-06-15");
  expect(await endOf(from, 18_500)).toEqual({ lt: "2012-07-01" });
  expect(await endOf([...from, ...atMost<{ d: string }>("d", "2012-07-10")], 1500)).toEqual({ lt: "2012-07-01" });
});

test("no end is guessed for a list that is scanned anyway, nor for one whose page may take half of all rows", async () => {
  expect(await endOf(GERMAN, 1000)).toBeUndefined();
  expect(await endOf(GERMAN, 70, { maxScannedRows: 10 })).toBeUndefined();
});
