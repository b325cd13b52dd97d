import { describe, expect, test } from "vitest";
import { canNarrow, placeOf, type Span, spansAggregation, spansOf, within } from "./ladder.ts";

const spans: Span[] = [
  { from: "2012-01-01", to: "2012-02-01", count: 10 },
  { from: "2012-03-01", to: "2012-04-01", count: 5 },
  { from: "2012-04-01", to: "2012-05-01", count: 20 },
];

describe("the place of a row", () => {
  test("is counted from the first span when ascending", () => {
    expect(placeOf(spans, "asc", 12, 2)).toMatchObject({
      first: { from: "2012-03-01" },
      last: { from: "2012-03-01" },
      skip: 2,
    });
  });

  test("is counted from the last span when descending", () => {
    expect(placeOf(spans, "desc", 20, 5)).toMatchObject({ first: { from: "2012-03-01" }, skip: 0 });
  });

  test("reaches into as many spans as the page needs", () => {
    expect(placeOf(spans, "asc", 9, 10)).toMatchObject({
      first: { from: "2012-01-01" },
      last: { from: "2012-04-01" },
      skip: 9,
    });
  });

  test("is none behind all spans", () => {
    expect(placeOf(spans, "asc", 35, 1)).toBeUndefined();
  });
});

test("the condition goes from the first span to the end of the last, in the list's direction", () => {
  expect(within("d", spans[0]!, spans[1])).toEqual({ range: { d: { gte: "2012-01-01", lt: "2012-04-01" } } });
  expect(within("d", spans[1]!, spans[0], "desc")).toEqual({ range: { d: { gte: "2012-01-01", lt: "2012-04-01" } } });
});

test("a month that is long is counted by days, a day is not counted again", () => {
  const month = { from: "2012-02-01", to: "2012-03-01", count: 5000 };
  expect(canNarrow("days", month)).toBe(true);
  expect(canNarrow("days", { ...month, count: 10 })).toBe(false);
  expect(canNarrow("days", { from: "2012-02-01", to: "2012-02-02", count: 5000 })).toBe(false);
  const days = spansOf("days", { buckets: [{ key: 0, key_as_string: "2012-02-29", doc_count: 3 }] }, month);
  expect(days).toEqual([{ from: "2012-02-29", to: "2012-03-01", count: 3 }]);
});

test("amounts are divided in whole cents, without a gap or an overlap", () => {
  const span = { from: 1_000_000, to: 1_500_000, count: 5000 };
  const { range } = spansAggregation("dollars", "amount_usd", span) as {
    range: { ranges: { from: number; to?: number }[] };
  };
  expect(range.ranges[0]!.from).toBe(1_000_000);
  range.ranges.slice(1).forEach(({ from }, i) => expect(from).toBe(range.ranges[i]!.to));
  for (const { from } of range.ranges) expect(Math.round(from * 100) / 100).toBe(from);
  expect(canNarrow("dollars", { from: 1_000_000, to: 1_000_000.01, count: 5000 })).toBe(false);
});
