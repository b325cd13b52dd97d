import { expect, test } from "vitest";
import { comparedTimelines, timelineOf } from "./timeline.ts";
import { periodsOf } from "./periods.ts";

const months = (count: number, first = 2000) =>
  Array.from({ length: count }, (_, at) => ({
    key: `${first + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`,
    count: 1,
    amount: 2,
  }));

test("ten years are shown by month, more by year", () => {
  expect(timelineOf(months(120))).toEqual({ unit: "month", points: months(120), leftOut: 0 });
  const { unit, points } = timelineOf(months(125));
  expect(unit).toBe("year");
  expect(points.length).toBe(11);
  expect(points[0]).toEqual({ key: "2000", count: 12, amount: 24 });
  expect(points.at(-1)).toEqual({ key: "2010", count: 5, amount: 10 });
});

test("the timeline begins where the rounds begin, and counts those of long ago", () => {
  const empty = months(300, 1960).map((month, at) => ({ ...month, count: at === 5 ? 1 : 0, amount: 0 }));
  const many = months(60, 1985).map((month) => ({ ...month, count: 10 }));
  expect(timelineOf([...empty, ...many])).toEqual({ unit: "month", points: many, leftOut: 1 });
});

test("a timeline without any round has nothing to leave out", () => {
  expect(timelineOf([])).toEqual({ unit: "month", points: [], leftOut: 0 });
  const none = months(12).map((month) => ({ ...month, count: 0 }));
  expect(timelineOf(none)).toEqual({ unit: "month", points: none, leftOut: 0 });
});

const periods = (from: string, to: string, today = "2020-01-01") =>
  periodsOf(
    [
      ["from", from],
      ["to", to],
    ],
    today,
  )!;

test("a period that has not ended ends today", () => {
  const both = [months(2, 2012), months(12, 2011)] as const;
  const year = comparedTimelines(both, periods("2012-01-01", "2012-12-31", "2012-03-10"))!;
  expect(year.points.map(({ key, count }) => [key, count])).toEqual([
    ["2012-01", 1],
    ["2012-02", 1],
    ["2012-03", 0],
  ]);
  expect([year.keys.length, year.keys[11], year.before.length]).toEqual([12, "2012-12", 12]);
  const decades = comparedTimelines(both, periods("2010-01-01", "2029-12-31"))!;
  expect([decades.points.at(-1)!.key, decades.keys.at(-1), decades.before.length]).toEqual(["2020", "2029", 20]);
});

test("a period and the one before it have their points at the same places", () => {
  const both = [months(2, 2012), [{ key: "2011-12", count: 7, amount: 8 }]] as const;
  const year = comparedTimelines(both, periods("2012-01-01", "2012-12-31"))!;
  expect([year.unit, year.points.length, year.before.length]).toEqual(["month", 12, 12]);
  expect([year.points[1], year.points[2]]).toEqual([months(2, 2012)[1], { key: "2012-03", count: 0, amount: 0 }]);
  expect([year.before[0]!.key, year.before[11]]).toEqual(["2011-01", both[1][0]]);
  const decades = comparedTimelines(both, periods("2000-07-01", "2012-06-30"))!;
  expect([decades.unit, decades.points[0]!.key, decades.before[0]!.key]).toEqual(["year", "2000", "1988"]);
  expect(decades.points.length).toBe(decades.before.length);
  expect(decades.before.at(-1)).toEqual({ key: "2000", count: 0, amount: 0 });
  expect(comparedTimelines(both, periods("2000-07-01", "2011-05-31"))).toBeUndefined();
  expect(comparedTimelines(both, periods("2012-01-01", "2012-01-30"))).toBeUndefined();
});
