import { expect, test } from "vitest";
import { presetsOf, readDay, shownDayText } from "./day-text.ts";

test.each([
  ["10 Sept 2013", "2013-09-10"],
  ["10 sep 2013", "2013-09-10"],
  ["September 10, 2013", "2013-09-10"],
  ["2013-09-10", "2013-09-10"],
  ["2013-9-1", "2013-09-01"],
  ["29 Feb 2012", "2012-02-29"],
])("'%s' is the day %s", (text, day) => {
  expect([readDay(text, "first"), readDay(text, "last")]).toEqual([day, day]);
});

test.each([
  ["2013", "2013-01-01", "2013-12-31"],
  ["2013-02", "2013-02-01", "2013-02-28"],
  ["Feb 2012", "2012-02-01", "2012-02-29"],
  ["september 2013", "2013-09-01", "2013-09-30"],
])("'%s' begins on %s and ends on %s", (text, first, last) => {
  expect([readDay(text, "first"), readDay(text, "last")]).toEqual([first, last]);
});

test.each([
  "",
  "10/9/2013",
  "10-9-2013",
  "9-2013",
  "30 Feb 2013",
  "2013-02-30",
  "2013-13",
  "Septober 2013",
  "13",
  "1 2 3 2013",
])("'%s' is no day", (text) => expect([readDay(text, "first"), readDay(text, "last")]).toEqual([undefined, undefined]));

test("a day is shown in the one format, and anything else as it is", () => {
  expect(["2013-09-10", "2013-02-30", "soon"].map(shownDayText)).toEqual(["10 Sept 2013", "2013-02-30", "soon"]);
});

test("the usual periods begin and end on the days that people expect", () => {
  expect(presetsOf("2013-10-31")).toEqual([
    { name: "Last 30 days", from: "2013-10-02", to: "2013-10-31" },
    { name: "Last 90 days", from: "2013-08-03", to: "2013-10-31" },
    { name: "Last 12 months", from: "2012-11-01", to: "2013-10-31" },
    { name: "2013", from: "2013-01-01", to: "2013-12-31" },
    { name: "2012", from: "2012-01-01", to: "2012-12-31" },
  ]);
});
