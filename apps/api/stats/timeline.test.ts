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

test("periods that lie very far apart are refused, with what to do", () => {
  const group = (period: string) => ({ key: [period], ...NOTHING });
  const far = [group("0213-05"), group("2013-10")];
  expect(() => filled(far, "month", new Set(["0213-05", "2013-10"]))).toThrow(
    expect.objectContaining({
      details: [
        {
          parameter: "group_by",
          code: "too_many_groups",
          message: expect.stringMatching(
            /^There are 21,604 empty periods between 0213-05 and 2013-10, and at most 5,000/,
          ),
        },
      ],
    }),
  );
  const years = [group("0213"), group("2013")];
  expect(filled(years, "year", new Set(["0213", "2013"]))).toHaveLength(1801);
});

test("groups of time have every period once, and only those without rows are added", () => {
  const month = fc
    .integer({ min: 0, max: 400 })
    .map((n) => `${1990 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, "0")}`);
  fc.assert(
    fc.property(fc.uniqueArray(month, { minLength: 1, maxLength: 60 }), fc.nat(), (present, cut) => {
      // Some of the groups are left out by `limit`.
      const shown = present.slice(0, 1 + (cut % present.length));
      const groups = shown.map((period) => ({ key: [period], count: 1, disclosed: 0, cents: 0 }));
      const all = filled(groups, "month", new Set(present));
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

test("no groups stay none", () => expect(filled([], "year", new Set())).toEqual([]));
