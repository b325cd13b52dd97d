import { expect, test } from "vitest";
import { dateFormatProblem, dateReader } from "./date.ts";

test.each([
  ["dd/MM/yyyy", "09/01/2020", "2020-01-09"],
  ["d MMM yyyy", "5 Sept 2021", "2021-09-05"],
  ["MMMM d, yyyy", "March 1, 2013", "2013-03-01"],
  ["yyyy-MM-dd'T'HH:mm:ssZZ", "2020-01-01T23:30:00-02:00", "2020-01-02"],
  ["yyyy", "2012", "2012-01-01"],
  ["unix", "1380585600", "2013-10-01"],
  ["unix", "-86400", "1969-12-31"],
  ["unix_ms", "1380585600000", "2013-10-01"],
  ["excel", "44936", "2023-01-10"],
  ["excel", "44936.75", "2023-01-10"],
  ["iso", "2023-01-13", "2023-01-13"],
  ["iso", "2023-01-13T12:05:09.000Z", "2023-01-13"],
  ["iso", "2023-01-13T12:05:09.123456", "2023-01-13"],
  ["iso", "2023-01-13 12:05 UTC", "2023-01-13"],
  ["iso", "2023-01-10 23:30:00-05:00", "2023-01-11"],
  ["iso", "2023-01-11 01:30:00+02", "2023-01-10"],
  ["d. MMMM yyyy", "21. März 2012", "2012-03-21"],
  ["d MMM yyyy", "2 août 2013", "2013-08-02"],
  ["'Q'q yyyy", "Q3 2012", "2012-07-01"],
])("%s reads %s", (format, text, date) => {
  expect(dateReader([format])(text)).toBe(date);
});

test("the first format that fits counts, and each strictly", () => {
  const read = dateReader(["dd/MM/yyyy", "dd/MMyyyy", "unix", "unix_ms"]);
  expect(read("05/072018")).toBe("2018-07-05");
  expect(read("1380585600000")).toBe("2013-10-01");
  expect(read("31/02/2020")).toBeUndefined();
  expect(read("5/07/2018")).toBeUndefined();
  expect(dateReader(["excel"])("2012")).toBeUndefined();
  expect(dateReader(["iso"])("2023-02-30 12:00")).toBeUndefined();
});

test.each([
  ["YYYY-MM-dd", "'YYYY' is not a date token, did you mean 'yyyy'?"],
  ["yyyy-MM-DD", "'DD' is not a date token, did you mean 'dd'?"],
  ["yyyy-MM-ddTHH:mm", "'T' is not a date token (put text in quotes: 'T')"],
  ["dd/mm/yyyy", "'mm' are minutes; months are 'MM'"],
  ["dd/MM", "has no year (yyyy)"],
])("the format %s is reported", (format, problem) => {
  expect(dateFormatProblem(format)).toContain(problem);
});

test.each(["dd/MM//yyyy", "dd/MM/'0'yy", "yyyy-MM-dd'T'HH:mm:ss", "unix", "kkkk-'W'WW", "yyyy"])(
  "the format %s is fine",
  (format) => {
    expect(dateFormatProblem(format)).toBeUndefined();
  },
);
