import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { daysOf } from "@tranche/read-models/query/groups";
import { NOTHING } from "./group.ts";
import { filled, periodsBetween } from "./timeline.ts";

describe("periods", () => {
  test.each([
    ["year", "2011", "2013", ["2011", "2012", "2013"]],
    ["quarter", "2012-Q3", "2013-Q1", ["2012-Q3", "2012-Q4", "2013-Q1"]],
    ["month", "2012-11", "2013-02", ["2012-11", "2012-12", "2013-01", "2013-02"]],
    ["month", "0099-12", "0100-01", ["0099-12", "0100-01"]],
    ["quarter", "2013-Q2", "2013-Q2", ["2013-Q2"]],
  ] as const)("by %s from %s to %s", (interval, first, last, periods) =>
    expect(periodsBetween(interval, first, last)).toEqual(periods),
  );

  test.each([
    ["2013", "2013-01-01", "2013-12-31"],
    ["2013-Q2", "2013-04-01", "2013-06-30"],
    ["2012-02", "2012-02-01", "2012-02-29"],
    ["1900-02", "1900-02-01", "1900-02-28"],
    ["0004-02", "0004-02-01", "0004-02-29"],
    ["0099-12", "0099-12-01", "0099-12-31"],
  ])("%s is from %s to %s", (period, from, to) => expect(daysOf(period)).toEqual({ from, to }));
});

const group = (period: string) => ({ key: [period], ...NOTHING });

test.each([
  ["month", ["1013-06", "2013-10", "2013-12"], ["2013-11"], { first: "1013-07", last: "2013-09", periods: 12_003 }],
  ["quarter", ["0213-Q1", "2013-Q1"], [], { first: "0213-Q2", last: "2012-Q4", periods: 7199 }],
  ["year", ["0012", "1014", "1016"], ["1015"], { first: "0013", last: "1013", periods: 1001 }],
] as const)("a %s with a wrong year leaves out what is between: %s", (interval, present, added, gap) => {
  const { groups, gaps } = filled(present.map(group), interval, new Set(present));
  expect(groups.map(({ key }) => key[0])).toEqual([...present, ...added]);
  expect(gaps).toEqual([gap]);
});

test("a run of 1,000 empty periods is shown, one of 1,001 is not", () => {
  const months = (last: string) => filled([group("1900-01"), group(last)], "month", new Set(["1900-01", last]));
  expect([months("1983-06").groups.length, months("1983-06").gaps]).toEqual([1002, []]);
  expect([months("1983-07").groups.length, months("1983-07").gaps]).toEqual([
    2,
    [{ first: "1900-02", last: "1983-06", periods: 1001 }],
  ]);
});

test("groups of time have every period once, and only those without rows are added", () => {
  const month = fc
    .integer({ min: 0, max: 400 })
    .map((n) => `${1990 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, "0")}`);
  fc.assert(
    fc.property(fc.uniqueArray(month, { minLength: 1, maxLength: 60 }), fc.nat(), (present, cut) => {
      // Some of the groups are left out by `limit`.
      const shown = present.slice(0, 1 + (cut % present.length));
      const groups = shown.map((period) => ({ key: [period], count: 1, disclosed: 0, cents: 0n }));
      const { groups: all } = filled(groups, "month", new Set(present));
      const periods = all.map(({ key }) => key[0]!);
      const [first, last] = [shown.toSorted()[0]!, shown.toSorted().at(-1)!];
      const left = present.filter((period) => !shown.includes(period));
      expect(periods.toSorted()).toEqual(
        periodsBetween("month", first, last).filter((period) => !left.includes(period)),
      );
      expect(all.filter(({ key }) => !present.includes(key[0]!))).toEqual(
        all.filter(({ count }) => count === 0).map(({ key }) => ({ key, ...NOTHING })),
      );
    }),
  );
});

test("no groups stay none", () => expect(filled([], "year", new Set())).toEqual({ groups: [], gaps: [] }));
