import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { describe, expect, test } from "vitest";
import { byLines, bySuggestion, type Made, ofType, questionsOf } from "../../../tests/support/by-suggestion.ts";
import { parseMapping } from "../mapping/mapping.ts";
import { createRowMapper } from "../mapping/rows.ts";
import { previewOf } from "./preview.ts";

const rounds = (made: Made) =>
  ofType(made, "round").map((round) => [
    round["company_id"],
    round["announced_date"],
    round["amount_usd"],
    round["deal_type"],
  ]);

describe("rounds in columns of their own", () => {
  const lines = [
    "Company,Country,Seed Date,Seed Amount ($m),Seed Investors,Series A Date,Series A Amount ($m),Series A Investors",
    'Acme,DE,2020-01-13,1,"Blue, Red",2021-02-14,5,Green',
    "Beta,FR,2020-03-15,2,Blue,-,,",
    "Gamma,FR,,,,2022-03-15,7,Green",
    "Delta,FR,,,,,,",
  ];

  test("each that has a date is a round of its type", async () => {
    const made = await byLines(lines);
    expect([questionsOf(made), made.refused]).toEqual([[], []]);
    expect(rounds(made)).toEqual([
      ["co-acme", "2020-01-13", 1e6, "seed"],
      ["co-acme", "2021-02-14", 5e6, "series_a"],
      ["co-beta", "2020-03-15", 2e6, "seed"],
      ["co-gamma", "2022-03-15", 7e6, "series_a"],
    ]);
    expect(ofType(made, "round").map(({ investor_ids: ids }) => ids)).toEqual([
      ["inv-blue", "inv-red"],
      ["inv-green"],
      ["inv-blue"],
      ["inv-green"],
    ]);
    expect(ofType(made, "company")).toHaveLength(4);
    expect(made.suggestion!.columns.find(({ column }) => column === "Series A Amount ($m)")).toMatchObject({
      role: "amount",
      samples: "'5', '7'",
    });
  });

  test("an answer that names the column of any round counts for all", async () => {
    for (const amount of ["Seed Amount ($m)", "Series A Amount ($m)"]) {
      const made = await byLines(lines, { amount });
      expect(rounds(made)).toHaveLength(4);
      expect(rounds(made)[1]).toEqual(["co-acme", "2021-02-14", 5e6, "series_a"]);
    }
    expect(rounds(await byLines(lines, { date: "none" }))).toEqual([]);
  });

  test("the dates of all rounds tell the order of day and month, and a shared currency counts for all", async () => {
    const made = await byLines(
      [
        "Name;Currency;Date (Seed);Amount (Seed);Lead (Seed);Date (Series A);Amount (Series A);Lead (Series A)",
        "Acme;EUR;02.03.2020;1,5 Mio;Blue;13.04.2021;5 Mio;Red",
        "Beta;EUR;;2 Mio;Green;;;",
      ],
      { rates: "EUR=2" },
    );
    expect([questionsOf(made), made.refused]).toEqual([[], []]);
    expect(rounds(made)).toEqual([
      ["co-acme", "2020-03-02", 3e6, "seed"],
      ["co-acme", "2021-04-13", 10e6, "series_a"],
    ]);
    expect(ofType(made, "round")[0]).toMatchObject({ investors: [{ investor_id: "inv-blue", is_lead: true }] });
    expect(made.suggestion!.notes).toContain("1 round without a date in the first rows: left out.");
  });

  test("a round without a date is counted wherever it stands", async () => {
    const { suggestion } = await byLines(lines);
    const notesOf = createRowMapper(parseMapping(suggestion!.mapping), { dealTypes: dealTypes(), today: "2026-01-01" });
    const row = { Company: "Omega", "Seed Date": "2020-01-13", "Seed Amount ($m)": "1", "Series A Date": "-" };
    expect(notesOf({ ...row, "Series A Amount ($m)": "5" })).toMatchObject({
      notes: [{ kind: "unreadable", column: "Series A Amount ($m), Series A Investors", text: "5" }],
    });
    expect(notesOf({ ...row, "Series A Amount ($m)": "5", "Series A Date": "2021-01-13" })).toMatchObject({
      notes: [],
    });
  });

  test("labels of any script, and amounts whose rate is open", async () => {
    const bytes = Buffer.from(
      "Компания;Посев Дата;Посев Сумма (EUR);Серия A Дата;Серия A Сумма (EUR)\nКит;13.01.2020;500000;14.02.2021;7000000\n",
    );
    const { suggestion } = await bySuggestion(bytes);
    const vocabulary = { dealTypes: dealTypes(), today: "2026-01-01" };
    const { good, isRateOpen, entries } = await previewOf(suggestion!, { bytes, isWhole: true }, vocabulary);
    expect([good, isRateOpen]).toEqual([1, true]);
    expect(entries).toMatchObject([
      { listed: ["2020-01-13", "Кит", "", "seed", "500,000", ""] },
      { listed: ["2021-02-14", "Кит", "", "series_a", "7,000,000", ""] },
    ]);
  });

  test("numbered ones have no type", async () => {
    const made = await byLines([
      "Company,Round 1 Date,Round 1 Amount,Round 2 Date,Round 2 Amount",
      "Acme,2020-01-13,$1M,2021-02-14,$5M",
    ]);
    expect(rounds(made)).toEqual([
      ["co-acme", "2020-01-13", 1e6, undefined],
      ["co-acme", "2021-02-14", 5e6, undefined],
    ]);
  });

  test("members of JSON", async () => {
    const made = await bySuggestion(
      JSON.stringify([
        {
          company: "Acme",
          seed: { date: "2020-01-13", amount: "$1M", investors: ["Blue", "Red"] },
          series_a: { date: "2021-01-13", amount: "$4M", investors: ["Green"] },
        },
        { company: "Beta", seed: { date: "2020-01-14", amount: "$2M", investors: [] }, series_a: null },
      ]),
    );
    expect(rounds(made)).toEqual([
      ["co-acme", "2020-01-13", 1e6, "seed"],
      ["co-acme", "2021-01-13", 4e6, "series_a"],
      ["co-beta", "2020-01-14", 2e6, "seed"],
    ]);
  });

  test("a currency beside the amounts of some rounds alone is asked for in the file", async () => {
    const odd = [
      "Company,Seed Date,Seed Amount,Seed Currency,Series A Date,Series A Amount",
      "Acme,2020-01-13,1000000,EUR,2021-02-14,5000000",
    ];
    await expect(byLines(odd)).rejects.toThrow(
      "has 'Series A Amount', but no column like 'Seed Currency' for the same round",
    );
  });

  test.each([
    ["Date,Amount,Seed Date,Seed Amount,Series A Date,Series A Amount", "'Date', 'Amount'"],
    ["Seed Date,Seed Amount,Series A Date,Series A Amount,Series B Amount", "'Series B Amount'"],
  ])("columns that belong to no dated round are said: %s", async (header, left) => {
    const row = header.split(",").map((name) => (name.includes("Date") ? "2020-01-13" : "$1M"));
    const made = await byLines([`Company,${header}`, `Acme,${row.join(",")}`]);
    expect(rounds(made).map(([, , amount, type]) => [amount, type])).toEqual([
      [1e6, "seed"],
      [1e6, "series_a"],
    ]);
    expect(made.suggestion!.notes.at(-1)).toBe(`${left}: of no round that has a column of dates, so not read.`);
  });

  test("letters are those of series", async () => {
    const made = await byLines(["Company,Seed Date,Seed Amount,A Date,A Amount", "Acme,2020-01-13,$1M,2021-02-14,$5M"]);
    expect([questionsOf(made), rounds(made).map(([, , , type]) => type)]).toEqual([[], ["seed", "series_a"]]);
    const one = await byLines(["Company,A Date,B Date,Amount", "Acme,2020-01-13,2021-02-14,$5M"]);
    expect(questionsOf(one)).toEqual(["date"]);
  });

  test.each([
    ["Seed Announced Date,Seed Amount,Series A Date,Series A Amount", "'Seed Announced Date', 'Series A Date'"],
    ["Seed Date,Seed Amount ($k),Series A Date,Series A Amount ($m)", "'Seed Amount ($k)', 'Series A Amount ($m)'"],
    ["Seed Date,Seed Raised,Series A Date,Series A Amount", "'Seed Raised', 'Series A Amount'"],
  ])("rounds whose columns have different names are refused: %s", async (header, names) => {
    const row = header.split(",").map((name) => (name.includes("Date") ? "2020-01-13" : "5"));
    await expect(byLines([`Company,${header}`, `Acme,${row.join(",")}`])).rejects.toThrow(`different names (${names})`);
  });

  test("parts of a round with days of their own are no rounds", async () => {
    const made = await byLines([
      "Company,Deal Date,Amount,Debt Amount,Debt Announced Date,Grant Amount,Grant Date",
      "Acme,2020-01-13,$6M,$1M,2020-01-14,$3M,2020-01-15",
    ]);
    expect(rounds(made).map(([, , amount]) => amount)).toEqual([6e6]);
  });

  test("several days of one round are no rounds", async () => {
    const made = await byLines([
      "Company,Date 1,Date 2,Investor 1,Investor 2,Amount",
      "Acme,2020-01-13,2020-01-14,Blue,Red,$1M",
    ]);
    expect(questionsOf(made)).toEqual(["date"]);
  });
});

test("the currency beside a list of JSON is that of the amounts in it", async () => {
  const list = [{ date: "2020-01-13", amount: 5_000_000 }];
  const made = await bySuggestion(JSON.stringify([{ company: "Acme", currency: "EUR", rounds: list }]), {
    rates: "EUR=2",
  });
  expect(rounds(made)).toEqual([["co-acme", "2020-01-13", 10_000_000, undefined]]);
});
