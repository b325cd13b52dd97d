import { expect, test } from "vitest";
import { bucketsOf } from "./buckets.ts";
import { days } from "./days.ts";
import { amounts } from "./amounts.ts";
import { names } from "./names.ts";
import { points } from "./points.ts";

test("a month is divided into days, a day by ids", () => {
  const month = { from: "2012-02-01", to: "2012-03-01", count: 5000 };
  expect(days.narrow("announced_date", month)).toMatchObject({ date_histogram: { calendar_interval: "day" } });
  expect(days.narrow("announced_date", { from: "2012-02-29", to: "2012-03-01", count: 5000 })).toBe("ids");
});

test("buckets of an answer end where the next day or month begins; empty ones are left out", () => {
  const month = { from: "2012-02-01", to: "2012-03-01", count: 5000 };
  const answer = {
    buckets: [
      { key: 0, key_as_string: "2012-02-01", doc_count: 0 },
      { key: 0, key_as_string: "2012-02-29", doc_count: 3 },
    ],
  };
  expect(bucketsOf(days, answer, month)).toEqual([{ from: "2012-02-29", to: "2012-03-01", count: 3 }]);
  expect(bucketsOf(days, { buckets: [{ key: 0, key_as_string: "2012-12-01", doc_count: 3 }] })).toEqual([
    { from: "2012-12-01", to: "2013-01-01", count: 3 },
  ]);
});

test("amounts are divided in whole cents, without a gap or an overlap, down to one cent", () => {
  const { range } = amounts.narrow("amount_usd", { from: 1_000_000, to: 1_500_000, count: 5000 }) as {
    range: { ranges: { from: number; to?: number }[] };
  };
  expect(range.ranges[0]!.from).toBe(1_000_000);
  range.ranges.slice(1).forEach(({ from }, i) => expect(from).toBe(range.ranges[i]!.to));
  for (const { from } of range.ranges) expect(Math.round(from * 100) / 100).toBe(from);
  expect(amounts.narrow("amount_usd", { from: 1_000_000, to: 1_000_000.01, count: 5000 })).toBe("ids");
});

test("amounts whose cents a double can't represent are not divided", () => {
  expect(amounts.narrow("amount_usd", { from: 5e13, to: 7e13, count: 5000 })).toBeUndefined();
  expect(amounts.narrow("amount_usd", { from: 7e15, to: null, count: 5000 })).toBeUndefined();
});

test("rows of one score are divided by ids, names with the same first characters are not divided", () => {
  expect(points.narrow("signal_score", { from: 40, to: 41, count: 5000 })).toBe("ids");
  expect(names.narrow("name_key", { from: "acme", to: "acmf", count: 5000 })).toBeUndefined();
});
