import { expect, test } from "vitest";
import { timelineOf } from "./timeline.ts";

const months = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    key: `${2000 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`,
    count: 1,
    amount: 2,
  }));

test("ten years are shown by month, more by year", () => {
  expect(timelineOf(months(120))).toEqual({ unit: "month", points: months(120) });
  const { unit, points } = timelineOf(months(125));
  expect(unit).toBe("year");
  expect(points.length).toBe(11);
  expect(points[0]).toEqual({ key: "2000", count: 12, amount: 24 });
  expect(points.at(-1)).toEqual({ key: "2010", count: 5, amount: 10 });
});
