import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { describe, expect, test } from "vitest";
import { bySuggestion, type Made, ofType } from "../../../tests/support/by-suggestion.ts";
import type { Answers } from "./given.ts";

/** Small files as people have them, with what a suggestion must make of them: the right thing, or a question. */
const read = (name: string, answers: Answers = {}) =>
  bySuggestion(readFileSync(join(import.meta.dirname, "cases", `${name}.csv`)), answers);

const asked = ({ suggestion }: Made) => suggestion!.questions.map(({ id }) => id);
const valuesOf = ({ suggestion }: Made) =>
  (suggestion!.mapping as { values: Record<string, Record<string, unknown>> }).values;
const field = (made: Made, type: string, name: string) => ofType(made, type).map((record) => record[name]);
const report = ({ suggestion }: Made, column: string) => suggestion!.columns.find((each) => each.column === column)!;

describe("separators of lists", () => {
  test.each(["investors-semicolon", "investors-pipe"])("%s", async (name) => {
    const made = await read(name);
    expect(asked(made)).toEqual([]);
    expect(field(made, "investor", "name")).toEqual(["Red Fund", "Blue Fund", "Green Fund", "Green, Partners"]);
    expect(ofType(made, "round")[2]).toMatchObject({ investor_ids: ["inv-blue-fund", "inv-green-partners"] });
  });

  test("a semicolon stands for itself", async () => {
    expect(valuesOf(await read("investors-semicolon"))["investors"]).toMatchObject({ separator: ";" });
  });

  test("a comma within brackets does not separate", async () => {
    expect(field(await read("investors-in-brackets"), "investor", "name")).toEqual([
      "Red Fund",
      "Business Angels (Ann Lee, Bo Chen, Cy Diaz)",
      "Blue Fund (via Blue Asia, Ltd)",
    ]);
  });
});

describe("dates", () => {
  test.each([
    ["year-only", ["2012-01-01", "2013-01-01", "2010-01-01", "2011-01-01"]],
    ["excel-serial", ["2023-01-10", "2023-01-11"]],
    ["mixed-dates", ["2014-01-23", "2017-04-07", "2014-12-30", "2012-12-01", "2018-10-16", "2019-02-05"]],
    ["js-iso-dates", ["2023-01-13", "2022-11-04"]],
  ])("%s", async (name, days) => {
    const made = await read(name);
    expect(asked(made)).toEqual([]);
    expect(made.refused).toEqual([]);
    expect(field(made, "round", "announced_date")).toEqual(days);
  });

  test("years are said to be years", async () => {
    expect(report(await read("year-only"), "Year").why).toContain("4 texts with only a year");
  });

  test("the order is said", async () => {
    expect(report(await read("mixed-dates"), "Date Joined").why).toContain("month first, as in '1/23/2014'");
  });

  test("without dates there are no rounds, and the columns of rounds say so", async () => {
    const made = await read("no-dates");
    expect(made.suggestion!.notes).toContain("No column holds dates, so no rounds are made.");
    expect(ofType(made, "round")).toEqual([]);
    expect(ofType(made, "company")).toHaveLength(2);
    for (const column of ["Round", "Amount", "Investors", "Month"])
      expect(report(made, column)).toMatchObject({ sure: "not used" });
    expect(report(made, "Amount").why).toContain("there are no rounds");
  });

  test("the year of the foundation is not the day of a round", async () => {
    const made = await read("founded-only");
    expect(made.suggestion!.notes).toContain("No column holds dates, so no rounds are made.");
    expect(field(made, "company", "founded_year")).toEqual([2012, 2016, 2020]);
  });
});

describe("amounts", () => {
  test("the unit in the name of the column", async () => {
    const made = await read("millions");
    expect(asked(made)).toEqual([]);
    expect(field(made, "round", "amount_usd")).toEqual([210_000_000, 52_500_000, 1_200_000]);
  });

  test("the currency in the name of the column: its rate is asked", async () => {
    const made = await read("amount-eur-header");
    expect(valuesOf(made)["amount"]).toMatchObject({ currency: { is: "EUR", rates: {} } });
    expect(asked(made)).toEqual(["rates"]);
    expect(made.refused).toHaveLength(2);
    const answered = await read("amount-eur-header", { rates: "1.5" });
    expect(asked(answered)).toEqual([]);
    expect(field(answered, "round", "amount_usd")).toEqual([1_500_000, 3_000_000]);
  });
});

test("NA is a country among codes of countries, and nothing elsewhere", async () => {
  const made = await read("namibia");
  expect(made.suggestion!.mapping).not.toHaveProperty("empty");
  expect(field(made, "company", "country")).toEqual(["NA", "ZA", "NA", "KE", "BW"]);
  expect(field(made, "round", "amount_usd")).toEqual([1_200_000, 800_000, null, 2_500_000, 500_000]);
  expect(field(made, "round", "investor_ids")).toMatchObject([{}, {}, {}, [], {}]);
});

describe("encodings", () => {
  test.each([
    ["gbk", ["蓝鲸科技", "小鹿出行", "云海医疗"]],
    ["cp1251", ["Синий кит", "Зелёный дом"]],
  ])("%s", async (name, names) => {
    const made = await read(name, { rates: "CNY=0.15" });
    expect(field(made, "company", "name")).toEqual(names);
    expect(made.suggestion!.notes.join()).toMatch(/The encoding \S+ is a guess/);
  });
});

test("labels of rounds", async () => {
  const labels = field(await read("growth-label"), "round", "deal_type");
  expect(labels).toEqual(["venture_series_unknown", "funding_round", "growth", "seed_fund"]);
  expect(labels.map((label) => dealTypes().find(String(label)))).toEqual([
    "series_unknown",
    "series_unknown",
    "growth_equity",
    "seed",
  ]);
});

test("a German export of Excel", async () => {
  const made = await read("german-excel-1252", { rates: "EUR=1.5" });
  expect(asked(made)).toEqual([]);
  expect(made.refused).toEqual([]);
  expect(field(made, "company", "name")).toEqual([
    "Kühlwerk GmbH",
    "Ölmühle AG",
    "AlpenGlas",
    "Nordlicht",
    "Müller, Söhne & Co",
  ]);
  expect(field(made, "company", "country")).toEqual(["DE", "AT", "CH", "DE", "DE"]);
  expect(field(made, "round", "announced_date")[1]).toBe("2025-04-03");
  expect(field(made, "round", "amount_usd")).toEqual([1_875_000.75, 18_000_000, 1_125_000, null, 3_000_000]);
  expect(field(made, "round", "deal_type")[1]).toBe("series_a");
  expect(field(made, "investor", "name")).toEqual(["Rhein Partner", "Isar Fonds", "Alpen Kapital"]);
});

describe("a file of 200 odd rows", () => {
  test("one question, about the rate", async () => {
    const made = await read("deals-odd");
    expect(asked(made)).toEqual(["rates"]);
    expect(report(made, "Volumen (Mio. EUR)")).toMatchObject({ sure: "asked" });
    expect(report(made, "Bemerkung")).toMatchObject({ sure: "not used", why: "no field of a record holds it" });
  });

  test("198 rows are good, 2 have no day", async () => {
    const made = await read("deals-odd", { rates: "EUR=1.5" });
    expect(asked(made)).toEqual([]);
    expect(made.refused).toEqual(Array(2).fill("column 'Bekannt am' has 'k.A.', which the mapping reads as empty"));
    const rounds = ofType(made, "round");
    expect(rounds).toHaveLength(198);
    expect(made.records.get("rnd-D-0001")).toMatchObject({
      announced_date: "2011-11-06",
      amount_usd: 49_200_000,
      source_url: "https://news.example/0",
      investors: [
        { investor_id: "inv-partech-ventures", is_lead: true },
        { investor_id: "inv-kima-ventures" },
        { investor_id: "inv-accel-partners" },
      ],
    });
    expect(made.records.get("rnd-D-0006")).toMatchObject({ announced_date: "2012-03-21", deal_type: "series_a" });
    expect(made.records.get("rnd-D-0013")).toMatchObject({ announced_date: "2012-07-01", deal_type: "series_a" });
    expect(made.records.get("rnd-D-0018")).toMatchObject({ amount_usd: null });
    expect(made.records.get("rnd-D-0021")).toMatchObject({ amount_usd: 7_500_000 });
    expect(made.records.get("rnd-D-0008")).toMatchObject({ amount_usd: null, deal_type: "convertible_note" });
    expect(made.records.has("inv-n-n")).toBe(false);
    expect(new Set(field(made, "company", "country"))).toEqual(new Set(["CH", "FR", "DE", "GB", "AT"]));
  });
});
