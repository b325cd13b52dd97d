import { expect, test } from "vitest";
import { monthsOf, periodsOf } from "./periods.ts";

const today = "2013-10-31";
const of = (from: string | undefined, to?: string, day = today) =>
  periodsOf([...(from ? [["from", from] as const] : []), ...(to ? [["to", to] as const] : [])], day);

test.each([
  ["2012-01-01", "2012-12-31", "2011-01-01", "2011-12-31", 12],
  ["2013-07-01", "2013-09-30", "2013-04-01", "2013-06-30", 3],
  ["2012-02-01", "2012-02-29", "2012-01-01", "2012-01-31", 1],
  ["2012-11-16", "2013-05-15", "2012-05-16", "2012-11-15", 6],
  ["2013-10-02", "2013-10-31", "2013-09-02", "2013-10-01", undefined],
  ["2012-01-31", "2012-02-29", "2012-01-01", "2012-01-30", undefined],
  ["2013-10-31", "2013-10-31", "2013-10-30", "2013-10-30", undefined],
])("%s to %s is compared with %s to %s", (from, to, before, end, months) => {
  const now = { from, to };
  const earlier = { from: before, to: end };
  expect(of(from, to)).toEqual({ now, before: earlier, soFar: { now, before: earlier }, months });
});

test("a period that has not ended is compared up to the same day", () => {
  expect(of("2013-01-01", "2013-12-31")!.soFar).toEqual({
    now: { from: "2013-01-01", to: "2013-10-31" },
    before: { from: "2012-01-01", to: "2012-10-31" },
  });
  expect(of("2013-10-30", "2013-11-02")!.soFar.before).toEqual({ from: "2013-10-26", to: "2013-10-27" });
});

test.each([
  ["2013-03-01", "2013-03-31", "2013-03-30", "2013-02-28"],
  ["2013-04-01", "2013-06-30", "2013-05-31", "2013-02-28"],
  ["2024-01-01", "2024-12-31", "2024-02-29", "2023-02-28"],
  ["2012-11-16", "2013-05-15", "2012-12-31", "2012-06-30"],
])("where the month before lacks the day, its last one counts: %s to %s on %s", (from, to, day, last) => {
  expect(of(from, to, day)!.soFar.before.to).toBe(last);
});

test("a period without an end ends today", () => {
  expect(of("2013-01-01")).toMatchObject({
    now: { to: today },
    before: { from: "2012-03-01", to: "2012-12-31" },
    months: 10,
  });
});

test("what is no period that has begun is not compared", () => {
  for (const [from, to] of [
    [undefined, "2012-12-31"],
    ["2013-11-01", "2013-12-31"],
    ["2012-12-31", "2012-01-01"],
    ["2012-02-31", "2012-12-31"],
    ["12", undefined],
    ["0001-01-01", undefined],
  ] as const) {
    expect(of(from, to), `${from} ${to}`).toBeUndefined();
  }
});

test("its months begin and end with a part", () => {
  expect(monthsOf({ from: "2012-11-30", to: "2013-02-01" })).toEqual(["2012-11", "2012-12", "2013-01", "2013-02"]);
});
