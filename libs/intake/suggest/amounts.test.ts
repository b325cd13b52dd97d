import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { describe, expect, test } from "vitest";
import { amountsIn, byLines, bySuggestion, ofType, questionsOf } from "../../../tests/support/by-suggestion.ts";
import { previewOf } from "./preview.ts";
import { suggestionFor } from "./suggested.ts";

describe("the unit of amounts", () => {
  const amounts = (header: string, ...texts: string[]) =>
    bySuggestion(
      [`Company,Date,"${header}"`, ...texts.map((text, day) => `Acme ${day},2020-01-1${day},"${text}"`)].join("\n"),
    );
  test.each([
    ["funds_raised_millions", 1e6],
    ["$ Raised mm", 1e6],
    ["Amount (USD Millions)", 1e6],
    ["Total raised ($mm)", 1e6],
    ["Raised (k)", 1e3],
    ["Funding ($M)", 1e6],
    ["Amount ($000s)", 1e3],
  ])("in the name %s", async (header, factor) => {
    const read = await amounts(header, "21", "52.5");
    expect(read.suggestion!.mapping).toMatchObject({ values: { amount: { factor } } });
    expect(questionsOf(read)).toEqual([]);
  });
  test.each([
    ["Deal size (€m)", "EUR", 1e6],
    ["Amount (€)", "EUR", undefined],
    ["Amount in INR", "INR", undefined],
    ["Amount (₹)", "INR", undefined],
    ["Amount (GBP m)", "GBP", 1e6],
    ["Betrag in TEUR", "EUR", 1e3],
  ])("with a currency in the name %s", async (header, is, factor) => {
    const read = await amounts(header, "210000", "525000");
    expect(read.suggestion!.mapping).toMatchObject({
      values: { amount: { currency: { is, rates: {} }, ...(factor ? { factor } : {}) } },
    });
    expect(questionsOf(read)).toContain("rates");
  });
  test.each([
    ["small amounts have none", "Amount", ["12", "5.5"], "amount_unit"],
    ["some texts have their own", "Amount (USD m)", ["5M", "7"], "amount_unit"],
    ["it makes amounts too large", "Amount (USD m)", ["50000000"], "amount_unit"],
    ["the decimal separator may group thousands", "Amount (USD m)", ["1.250", "3.125"], "amount_decimal"],
    ["lakhs are mostly of rupees", "Amount_in_lakhs", ["21", "52.5"], "amount_currency"],
    ["crores are mostly of rupees", "Amount (in Crores)", ["21", "52.5"], "amount_currency"],
    ["the name is not English and names no currency", "Betrag", ["125000"], "amount_currency"],
  ])("asked where %s", async (_, header, texts, id) => {
    expect(questionsOf(await amounts(header, ...texts))).toEqual([id]);
  });
});

describe("a currency in the name of the amount, and a column of currencies", () => {
  const rows = (header: string, ...lines: string[]) => bySuggestion([header, ...lines].join("\n"));
  test("the column belongs to the other amount where there is one", async () => {
    const read = await rows(
      "Company,Date,Raised,Currency,Raised (in USD)",
      "Acme,2020-01-13,500000,EUR,600000",
      "Beta,2020-01-14,700000,USD,700000",
    );
    expect(questionsOf(read)).toEqual([]);
    expect(read.records.get("rnd-acme-2020-01-13-1")).toMatchObject({ amount_usd: 600_000 });
    expect(read.suggestion!.columns[3]).toMatchObject({ sure: "not used", why: "it is the currency of 'Raised'" });
  });

  test("else it is asked which one counts", async () => {
    const content = ["Company,Date,Amount (USD),Currency", "Acme,2020-01-13,500000,EUR", "Beta,2020-01-14,700000,USD"];
    expect(questionsOf(await rows(...(content as [string, string, string])))).toEqual(["currency", "rates"]);
    const read = await bySuggestion(content.join("\n"), { currency: "none" });
    expect(questionsOf(read)).toEqual([]);
    expect(read.records.get("rnd-acme-2020-01-13-1")).toMatchObject({ amount_usd: 500_000 });
  });
});

test("dollars of a country that has its own are asked about", async () => {
  const rows = (country: string) =>
    bySuggestion(
      [
        "Company,Date,Amount,Country",
        ...Array.from({ length: 5 }, (_, row) => `A${row},2020-01-1${row},$5M,${country}`),
      ].join("\n"),
    );
  expect(questionsOf(await rows("Canada"))).toEqual(["amount_currency"]);
  expect(questionsOf(await rows("United States"))).toEqual([]);
  const mixed = ["CA", "AU", "CA", "AU", "NZ"].map((country, n) => `A${n},2020-01-1${n},$5M,${country}`);
  expect(questionsOf(await byLines(["Company,Date,Amount,Country", ...mixed]))).toEqual(["amount_currency"]);
});

test.each([
  ["Amount,Divisa", "5000000,EUR", ["rates"]],
  ["Amount,CCY Code", "5000000,EUR", ["rates"]],
  ["Amount,Paid in", "5000000,EUR", ["amount_currency"]],
  ["Amount,Sector", "5000000,Health", []],
  ["Amount (local currency),Sector", "5000000,Health", ["amount_currency"]],
  ["Amount (USD/EUR),Sector", "5000000,Health", ["amount_currency"]],
])("a currency that is somewhere is not taken as dollars: %s", async (header, row, asked) => {
  expect(questionsOf(await byLines([`Company,Date,${header}`, `A,2020-01-13,${row}`]))).toEqual(asked);
});

test("one amount that is far too large with the unit in the name is enough for a question", async () => {
  const { suggestion } = await byLines([
    "Company,Date,Amount ($m)",
    ...["5", "3", "5000000"].map((amount, n) => `A${n},2020-01-13,${amount}`),
  ]);
  expect(suggestion!.questions).toMatchObject([{ id: "amount_unit", question: expect.stringContaining("'5000000'") }]);
});

const EUROS = "Company,Date,Amount (EUR m)\nAcme,2020-01-13,5\nBeta,2020-02-14,6\n";

test.each([
  ["1.08", { EUR: 1.08 }],
  ["1,08", { EUR: 1.08 }],
  ["EUR=1,08", { EUR: 1.08 }],
  ["eur = 1.08 ", { EUR: 1.08 }],
  ["EUR=1,08, GBP=1,27", { EUR: 1.08, GBP: 1.27 }],
  ["EUR=1,08,GBP=1.27", { EUR: 1.08, GBP: 1.27 }],
  ["EUR=1;GBP=2", { EUR: 1, GBP: 2 }],
])("the rate '%s' is read, with a decimal comma, too", async (rates, expected) => {
  const read = await bySuggestion(EUROS, { rates });
  expect(questionsOf(read)).toEqual([]);
  expect(read.suggestion!.mapping).toMatchObject({ values: { amount: { currency: { rates: expected } } } });
});

test.each(["1 08", "EUR=1.08 0.3", "EUR=1,08,3", "EUR=1080", "EUR=1,08,EUR=2", "EUR", "EUR=0", "GBP=1.2"])(
  "'%s' is not a valid rate of the euro, so the question stays",
  async (rates) => expect(questionsOf(await bySuggestion(EUROS, { rates }))).toEqual(["rates"]),
);

test.each([
  ["Belopp", "25 Mkr", "kr=0.1", 2_500_000],
  ["Belopp (SEK)", "25 Mkr", "SEK=0.1", 2_500_000],
  ["Belopp (Mkr)", "25", "kr=0.1", 2_500_000],
  ["Belopp", "25 MSEK", "SEK=0.1", 2_500_000],
])("crowns: '%s' with '%s' asks for one rate", async (name, text, rates, amount) => {
  const file = `Bolag,Datum,${name},Investerare\nAcme,2024-01-13,${text},Blå Fond\nBeta,2024-02-14,${text},Röd Fond\n`;
  expect(questionsOf(await bySuggestion(file))).toEqual(["rates"]);
  const { records } = await bySuggestion(file, { rates });
  expect(records.get("rnd-acme-2024-01-13-1")).toMatchObject({ amount_usd: amount, investor_ids: ["inv-bla-fond"] });
});

test.each([
  ["Debt Amount,Equity Amount", "5000000,2000000"],
  ["Equity ($M),Debt ($M)", "5,2"],
  ["Debt,Equity", "$5m,$2m"],
])("of debt and equity in columns of their own ('%s') one is chosen by a person", async (names, amounts) => {
  const read = await bySuggestion(`Company,Date,${names}\nAcme,2024-01-13,${amounts}\nBeta,2024-01-14,${amounts}\n`);
  const [question] = read.suggestion!.questions;
  expect(question).toMatchObject({ id: "amount" });
  expect(Object.keys(question!.answers)).toEqual(expect.arrayContaining([...names.split(","), "none"]));
});

test.each([
  [["EUR"], "a rate such as EUR=1.1"],
  [["EUR", "GBP", "kr"], "rates such as EUR=1.1, GBP=1.1, kr=1.1"],
])("while the rates of %j are open, the first rows are shown in them", async (codes, free) => {
  const rows = codes.map((code, n) => `Company ${n},2024-01-1${n + 3},"5,000,000 ${code}",Blue`);
  const bytes = Buffer.from(["Company,Date,Amount,Investors", ...rows].join("\n"));
  const vocabulary = { dealTypes: dealTypes(), today: "2026-01-01" };
  const suggestion = await suggestionFor({ bytes, isWhole: true }, vocabulary, {});
  expect(suggestion.questions).toMatchObject([{ id: "rates", free }]);
  const { good, isRateOpen } = await previewOf(suggestion, { bytes, isWhole: true }, vocabulary);
  expect([good, isRateOpen]).toEqual([codes.length, true]);
});

test.each(["amount_cents", "Amount (in cents)", "raised.amount_minor", "Amount in pence"])(
  "'%s' has hundredths",
  async (name) => {
    const file = `Startup,Date,${name},Currency,Stage\nAcme,2024-01-13,500000000,USD,Seed\nBeta,2024-02-14,125000000,USD,Seed\n`;
    const { records } = await bySuggestion(file);
    expect(records.get("rnd-acme-2024-01-13-1")).toMatchObject({ amount_usd: 5_000_000 });
  },
);

test("units in a column of their own belong to the amounts of their rows", async () => {
  const read = await bySuggestion(
    "Company,Date,Amount,Unit,Currency\nAcme,2024-01-13,5.5,M,USD\nBeta,2024-01-14,700,K,USD\nGamma,2024-01-15,,M,USD\n",
  );
  expect(questionsOf(read)).toEqual([]);
  expect(amountsIn(read)).toEqual([5_500_000, 700_000, null]);
});

test.each([
  ["Company,Date,Raised (USD),Total raised (USD)", "500000,900000"],
  ["Company,Date,Last round size,Total raised", "$500k,$900k"],
  ["Company,Date,Amount sold,Total offering amount", "500000,900000"],
])("the amount of the round is not that of all: %s", async (header, amounts) => {
  const made = await byLines([header, `A,2020-01-13,${amounts}`]);
  expect([questionsOf(made), ofType(made, "round")]).toMatchObject([[], [{ amount_usd: 500_000 }]]);
});

test("the symbol of a currency is not asked about beside its code", async () => {
  const made = await byLines(["Company,Date,Amount,Currency code,Currency symbol", "A,2020-01-13,500000,USD,$"]);
  expect(questionsOf(made)).toEqual([]);
});

test("the currency of a total counts where there is no other", async () => {
  const total = "Company,Date,Total amount,Total amount currency";
  expect(questionsOf(await byLines([total, "A,2020-01-13,500000,EUR"]))).toEqual(["rates"]);
  const made = await byLines([`${total},Raised,Raised currency`, "A,2020-01-13,500000,EUR,400000,USD"]);
  expect([questionsOf(made), ofType(made, "round")]).toMatchObject([[], [{ amount_usd: 400_000 }]]);
});

test.each([
  [
    ["€ 12 million", "€ 500.000"],
    [12e6, 500_000],
  ],
  [
    ["R$ 2,5 mi", "R$ 800 mil"],
    [2.5e6, 800_000],
  ],
  [
    ["2 mil millones €", "500 mil €"],
    [2e9, 500_000],
  ],
])("%j: one question, about the rate", async (texts, amounts) => {
  const lines = ["Company,Date,Amount", ...texts.map((text, n) => `A${n},2020-01-13,"${text}"`)];
  expect(questionsOf(await byLines(lines))).toEqual(["rates"]);
  expect(amountsIn(await byLines(lines, { rates: "1" }))).toEqual(amounts);
});

test("'mil' is a million in English, and no amount", async () => {
  const made = await byLines(["Company,Date,Amount", "A,2020-01-13,$5 mil", "B,2020-01-14,$1M", "C,2020-01-14,$2M"]);
  expect(amountsIn(made)).toEqual([null, 1e6, 2e6]);
});

test("whether thousandths are written is asked once a large unit is known", async () => {
  const lines = ["Company,Date,Amount", 'A,2020-01-13,"$12,000"', 'B,2020-01-14,"$1,500"'];
  expect(questionsOf(await byLines(lines))).toEqual(["amount_unit"]);
  expect(questionsOf(await byLines(lines, { amount_unit: "ones" }))).toEqual([]);
  expect(questionsOf(await byLines(lines, { amount_unit: "millions" }))).toEqual(["amount_decimal"]);
});
