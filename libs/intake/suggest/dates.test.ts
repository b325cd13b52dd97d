import { describe, expect, test } from "vitest";
import { byLines, bySuggestion, daysIn, ofType, questionsOf } from "../../../tests/support/by-suggestion.ts";
import type { Answers } from "./given.ts";

describe("day or month first", () => {
  const dates = async (header: string, written: string[], answers: Answers = {}) => {
    const read = await bySuggestion(
      [`Company,Amount,"${header}"`, ...written.map((date) => `Acme,500000,"${date}"`)].join("\n"),
      answers,
    );
    const { values } = read.suggestion!.mapping as { values: { date: { formats: string[] } } };
    return { asked: questionsOf(read), formats: values.date.formats };
  };
  test.each([
    ["Date", ["01/02/2020", "03/25/2020"], ["MM/dd/yyyy"]],
    ["Date", ["1/2/2020", "25/3/2020"], ["d/M/yyyy"]],
    ["Date mm/dd/yyyy", ["01/02/2020"], ["MM/dd/yyyy"]],
    ["Date", ["05/05/2020"], ["dd/MM/yyyy"]],
    ["Date", ["01/13/20", "02/01/21"], ["MM/dd/yy"]],
    ["Date", ["13-01-2020", "1/25/2020"], ["dd-MM-yyyy", "M/d/yyyy"]],
  ])("%s: %j", async (header, texts, formats) => {
    expect(await dates(header, texts)).toEqual({ asked: [], formats });
  });

  test.each([
    ["all dates have both readings", ["01/02/2020", "03.04.2020"]],
    ["dates contradict each other", ["13/01/2020", "01/25/2020", "03/04/2020"]],
    ["the year may come first, too", ["10/11/12"]],
  ])("asked where %s", async (_, texts) => {
    expect((await dates("Date", texts)).asked).toEqual(["date_order"]);
    expect(await dates("Date", texts, { date_order: "month_first" })).toMatchObject({ asked: [] });
  });
});

test.each(["Q3", "3"])("a quarter such as '%s' beside its year is a part of the date", async (quarter) => {
  const read = await bySuggestion(
    `Company,Year,Quarter,Amount (USD),Investors\nAcme,2023,${quarter},5000000,Blue\nBeta,2024,${quarter.replace("3", "1")},7000000,Red\n`,
  );
  expect(daysIn(read)).toEqual(["2023-07-01", "2024-01-01"]);
});

test.each([
  ["May 14", "2023-05-14"],
  ["14 August", "2023-08-14"],
  ["14. März", "2023-03-14"],
])("'%s' beside its year is a part of the date", async (date, day) => {
  const read = await byLines(["Company,Year,Date,Amount", `A,2023,${date},$1M`]);
  expect([questionsOf(read), ofType(read, "round")]).toMatchObject([[], [{ announced_date: day }]]);
});

test.each(["13 Jan", "Jan 3", "Jan 30"])("'%s' is a day without its year, and no month", async (date) => {
  const read = await byLines(["Company,Date,Amount", `A,${date},$1M`, `B,${date.replace("Jan", "Feb")},$2M`]);
  expect(ofType(read, "round")).toEqual([]);
  expect(read.suggestion!.notes).toEqual(["No column holds dates, so no rounds are made."]);
});

test("whether 'Jan 13' has a year or a day is asked, unless another row or the name says it", async () => {
  const made = (name: string, dates: string[], answers = {}) =>
    byLines([`Company,${name},Amount`, ...dates.map((date, n) => `A${n},${date},$1M`)], answers);
  const dates = ["January 13", "Mar 21"];
  expect((await made("Date", dates)).suggestion!.questions).toMatchObject([
    { id: "date", question: expect.stringContaining("Is the number in 'January 13' a year?") },
  ]);
  const [yes, no] = [await made("Date", dates, { date: "Date" }), await made("Date", dates, { date: "none" })];
  expect([questionsOf(yes), yes.refused, daysIn(yes)]).toEqual([[], [], ["2013-01-01", "2021-03-01"]]);
  expect([questionsOf(no), daysIn(no)]).toEqual([[], []]);
  for (const sure of [await made("Month", dates), await made("Date", ["Jan 98", "Jan 13"])])
    expect([questionsOf(sure), sure.refused, daysIn(sure).length]).toEqual([[], [], 2]);
  const beside = await byLines(["Company,Announced,Date,Amount", "A,Jan 13,2021-01-13,$1M"]);
  expect([questionsOf(beside), daysIn(beside)]).toEqual([[], ["2021-01-13"]]);
});

test.each([
  ["Sonntag, 14. Mai 2023", "2023-05-14"],
  ["le 14 mai 2023", "2023-05-14"],
  ["14 мая 2023 г.", "2023-05-14"],
  ["May 14, 2023 → May 16, 2023", "2023-05-14"],
  ["２０２３年５月１４日", "2023-05-14"],
  ["14.05.2023 10:30 Uhr", "2023-05-14"],
  ["45060,5", "2023-05-14"],
  ["T2 2023", "2023-04-01"],
  ["20230514T093000Z", "2023-05-14"],
  ["2023-05-14 09:30:00 +0000 UTC", "2023-05-14"],
  ["13. Jänner 2023", "2023-01-13"],
  ["13 фев. 2023", "2023-02-13"],
  ["13. Mrz. 2023", "2023-03-13"],
  ["2T23", "2023-04-01"],
])("'%s' is a day", async (date, day) => {
  const read = await byLines(["Company,Date,Amount", `A,"${date}",$1M`]);
  expect([questionsOf(read), ofType(read, "round")]).toMatchObject([[], [{ announced_date: day }]]);
});

test("the year of a founding is taken out of its day, and a day of creation is none", async () => {
  const read = await byLines([
    "Company,Founded Date,Creation Date",
    "A,2012-05-01,2024-01-13",
    "B,Jan 2013,2024-01-14",
    "C,14/05/2014,2024-01-15",
  ]);
  expect(ofType(read, "company").map(({ founded_year: year }) => year)).toEqual([2012, 2013, 2014]);
  const created = await byLines(["Company,Creation Date", "A,2024-01-13"]);
  expect(ofType(created, "company")[0]).not.toHaveProperty("founded_year");
});

test.each(["Jan-13", "Jan '13", "Jan 2013", "Q1'13", "Q1-13"])("'%s' is of 2013", async (date) => {
  const read = await byLines(["Company,Date,Amount", `A,"${date}",$1M`]);
  expect(ofType(read, "round")).toMatchObject([{ announced_date: "2013-01-01" }]);
});

test("a line break inside a cell hides no day, and no city", async () => {
  const read = await byLines([
    "Company,Date,Location,Amount",
    'A,"13 Jan\n2022","Berlin,\nGermany",$1M',
    'B,14 Jan 2022,"Paris, France",$2M',
  ]);
  expect(ofType(read, "round")).toMatchObject([{ announced_date: "2022-01-13" }, { announced_date: "2022-01-14" }]);
  expect(ofType(read, "company")).toMatchObject([{ city: "Berlin", country: "DE" }, { city: "Paris" }]);
  const apart = await byLines([
    "Company,Seed Date,Seed Amount,Series A Date,Series A Amount",
    'A,"13 Jan\n2022",$1M,14 Jan 2023,$2M',
  ]);
  expect(ofType(apart, "round")).toHaveLength(2);
});

test.each([
  ["202101131200", "2021-01-13"],
  ["252460800000", "1978-01-01"],
  ["20210113", "2021-01-13"],
])("the number %s is the day %s", async (date, day) => {
  const read = await byLines(["Company,Date,Amount", `A,${date},$1M`]);
  expect([questionsOf(read), ofType(read, "round")]).toMatchObject([[], [{ announced_date: day }]]);
});
