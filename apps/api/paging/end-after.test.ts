import type { Order } from "@tranche/read-models/query/order";
import { expect, test } from "vitest";
import type { Bucket, IdBucket, MissingBucket, ValueBucket } from "./bucket.ts";
import { bucketsFrom, sideOf, upTo } from "./end-after.ts";

const value = (from: number, to: number | null): ValueBucket => ({ from, to, count: 5 });
const ids = (group: ValueBucket | MissingBucket, from: string | null, to: string | null): IdBucket => ({
  group,
  ids: { from, to },
  count: 5,
});
const missing: MissingBucket = { missing: true, count: 5 };
const asc: Order = { field: "v", direction: "asc", by: "points" };
const desc: Order = { ...asc, direction: "desc" };
const list: Bucket[] = [value(0, 10), value(10, 20), value(30, null), missing];
const at = (of: number | null, id = "m") => ({ value: of, id });

test("a bucket is before a position, around it, or after it", () => {
  expect(list.map((bucket) => sideOf(bucket, at(15), asc))).toEqual(["before", "around", "after", "after"]);
  expect(list.map((bucket) => sideOf(bucket, at(15), desc))).toEqual(["after", "around", "before", "after"]);
  expect(list.map((bucket) => sideOf(bucket, at(25), asc))).toEqual(["before", "before", "after", "after"]);
  expect(list.map((bucket) => sideOf(bucket, at(null), desc))).toEqual(["before", "before", "before", "around"]);
  const parts = [ids(missing, null, "g"), ids(missing, "g", "p"), ids(missing, "p", null)];
  expect(parts.map((bucket) => sideOf(bucket, at(null), asc))).toEqual(["before", "around", "after"]);
});

test("the buckets from a position on come in the order of the list", () => {
  const from = (position: ReturnType<typeof at>, order: Order) => [...bucketsFrom(list, position, order)];
  expect(from(at(15), asc)).toEqual(list.slice(1));
  expect(from(at(15), desc)).toEqual([list[1], list[0], missing]);
  expect(from(at(25), desc)).toEqual([list[1], list[0], missing]);
  expect(from(at(-1), desc)).toEqual([missing]);
  expect(from(at(null), desc)).toEqual([missing]);
  const parts = [ids(missing, null, "g"), ids(missing, "g", "p"), ids(missing, "p", null)];
  expect([...bucketsFrom(parts, at(null), desc)]).toEqual(parts.slice(1));
});

test("before the first row, everything is after, in the order of the list", () => {
  expect(list.map((bucket) => sideOf(bucket, undefined, desc))).toEqual(["after", "after", "after", "after"]);
  expect([...bucketsFrom(list, undefined, desc)]).toEqual([list[2], list[1], list[0], missing]);
  const to = (end: Bucket, order: Order) => upTo(end, undefined, { order, idField: "id" })?.query;
  expect(to(value(30, 40), asc)).toEqual({ range: { v: { lt: 40 } } });
  expect(to(value(30, 40), desc)).toEqual({ range: { v: { gte: 30 } } });
  expect(to(ids(value(30, 40), "g", "p"), asc)).toEqual({ range: { v: { lt: 40 } } });
  expect(to(value(30, null), asc)).toBeUndefined();
  expect(to(missing, asc)).toBeUndefined();
});

test("the condition holds from the position to the end of a bucket, without a gap", () => {
  const to = (end: Bucket, position: ReturnType<typeof at>, order: Order) =>
    upTo(end, position, { order, idField: "id" })?.query;
  expect(to(value(30, 40), at(15), asc)).toEqual({ range: { v: { gte: 15, lt: 40 } } });
  expect(to(value(30, null), at(15), asc)).toEqual({ range: { v: { gte: 15 } } });
  expect(to(value(0, 10), at(15), desc)).toEqual({ range: { v: { lte: 15, gte: 0 } } });
  expect(to(missing, at(15), asc)).toBeUndefined();
  expect(to(ids(value(15, 16), "g", "p"), at(15), asc)).toEqual({
    bool: { filter: [{ range: { v: { gte: 15, lte: 15 } } }, { range: { id: { gt: "m", lt: "p" } } }] },
  });
  expect(to(ids(missing, "g", "p"), at(null), asc)).toEqual({ range: { id: { gt: "m", lt: "p" } } });
  expect(to(ids(value(30, 40), "g", "p"), at(15), asc)).toEqual(to(value(30, 40), at(15), asc));
  expect(to(ids(value(15, 16), "p", null), at(15), asc)).toEqual(to(value(15, 16), at(15), asc));
  expect(to(ids(missing, "g", "p"), at(15), asc)).toBeUndefined();
});
