import { expect, test } from "vitest";
import { timelineOf } from "./timeline.ts";

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

test("begins where the rounds begin, and counts those of long ago", () => {
  const empty = months(300, 1960).map((month, at) => ({ ...month, count: at === 5 ? 1 : 0, amount: 0 }));
  const many = months(60, 1985).map((month) => ({ ...month, count: 10 }));
  expect(timelineOf([...empty, ...many])).toEqual({ unit: "month", points: many, leftOut: 1 });
});

test("without any round has nothing to leave out", () => {
  expect(timelineOf([])).toEqual({ unit: "month", points: [], leftOut: 0 });
  const none = months(12).map((month) => ({ ...month, count: 0 }));
  expect(timelineOf(none)).toEqual({ unit: "month", points: none, leftOut: 0 });
});
