import { expect, test } from "vitest";
import { narrowing, bucketsAggregation, bucketsOf } from "./buckets.ts";

test("a month that is long is counted by days, a day by ids", () => {
  const month = { from: "2012-02-01", to: "2012-03-01", count: 5000 };
  expect(narrowing("days", month)).toBe("values");
  expect(narrowing("days", { ...month, count: 10 })).toBeUndefined();
  expect(narrowing("days", { from: "2012-02-01", to: "2012-02-02", count: 5000 })).toBe("ids");
  const days = bucketsOf("days", { buckets: [{ key: 0, key_as_string: "2012-02-29", doc_count: 3 }] }, month);
  expect(days).toEqual([{ from: "2012-02-29", to: "2012-03-01", count: 3 }]);
});

test("amounts are divided in whole cents, without a gap or an overlap", () => {
  const bucket = { from: 1_000_000, to: 1_500_000, count: 5000 };
  const { range } = bucketsAggregation("dollars", "amount_usd", bucket) as {
    range: { ranges: { from: number; to?: number }[] };
  };
  expect(range.ranges[0]!.from).toBe(1_000_000);
  range.ranges.slice(1).forEach(({ from }, i) => expect(from).toBe(range.ranges[i]!.to));
  for (const { from } of range.ranges) expect(Math.round(from * 100) / 100).toBe(from);
  expect(narrowing("dollars", { from: 1_000_000, to: 1_000_000.01, count: 5000 })).toBe("ids");
});

test("rows of one score and rows without a value are counted by ids, names that begin alike are not", () => {
  expect(narrowing("points", { from: 40, to: 41, count: 5000 })).toBe("ids");
  expect(narrowing("dollars", { missing: true, count: 5000 })).toBe("ids");
  expect(narrowing("names", { from: "acme", to: "acmf", count: 5000 })).toBeUndefined();
});
