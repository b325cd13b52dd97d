import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { bySuggestion, type Made, ofType } from "../../../tests/support/by-suggestion.ts";
import type { Answers } from "./given.ts";
import { previewOf } from "./preview.ts";
import { suggestionFor } from "./suggested.ts";

const project = join(import.meta.dirname, "../../..");
const real = process.env["TRANCHE_REAL_DATA"] ?? join(project, "../shared/data");

const made = (content: string | Buffer, answers: Answers = {}) => bySuggestion(Buffer.from(content), answers);

/** The column of each meaning. */
const meanings = ({ suggestion }: Made) =>
  Object.fromEntries(suggestion!.columns.flatMap(({ column, meaning }) => (meaning ? [[meaning, column]] : [])));
const questionsOf = ({ suggestion }: Made) => suggestion!.questions.map(({ id }) => id);

test("a list of rounds: company, date, amount, type, investors, country and city are recognised", async () => {
  const read = await made(
    [
      "Company,Country,City,Round,Announced,Amount raised,Investors,Comment",
      'Acme,Germany,Berlin,Series A,13/02/2020,"$2,500,000","Blue Fund, Red & Co",x',
      "Beta,France,Paris,Seed,01/03/2020,$500k,Green,",
      "Gamma,France,,Seed,02/03/2020,undisclosed,,",
    ].join("\n"),
  );
  const { suggestion, records, refused } = read;
  expect(refused).toEqual([]);
  expect(meanings(read)).toEqual({
    "the name of the company": "Company",
    "the country of the company": "Country",
    "the city of the company": "City",
    "the type of the round": "Round",
    "the day of the round": "Announced",
    "the amount of the round": "Amount raised",
    "the investors": "Investors",
  });
  expect(suggestion!.columns.at(-1)).toMatchObject({ column: "Comment", sure: "not used" });
  expect(records.get("rnd-acme-2020-02-13-1")).toMatchObject({
    amount_usd: 2_500_000,
    deal_type: "series_a",
    investor_ids: ["inv-blue-fund", "inv-red-co"],
  });
  expect(records.get("rnd-gamma-2020-03-02-1")).toMatchObject({ amount_usd: null, investor_ids: [] });
});

test("semicolons, Latin-1, decimal commas, lead investors and a currency column", async () => {
  const { suggestion, records, refused } = await made(
    iconv.encode(
      [
        "Startup name;Deal date;Deal size;Currency;Lead investor;Investors;HQ country",
        "Café Noir;05.03.2019;2,5M;USD;Blue;Blue| Red;FR",
        "Älpli;06.03.2019;1.000.000;CHF;;Green;CH",
      ].join("\r\n"),
      "latin1",
    ),
  );
  expect(suggestion!.mapping).toMatchObject({ encoding: "windows-1252", delimiter: ";" });
  expect(suggestion!.mapping).toMatchObject({
    values: {
      date: { formats: ["dd.MM.yyyy"] },
      amount: { decimal: ",", currency: { column: "Currency" } },
      investors: { separator: "\\|" },
    },
  });
  expect(records.get("rnd-cafe-noir-2019-03-05-1")).toMatchObject({
    amount_usd: 2_500_000,
    investors: [{ investor_id: "inv-blue", is_lead: true }, { investor_id: "inv-red" }],
  });
  expect(refused).toEqual([`'1.000.000' is in CHF, expected US dollars: give a rate for CHF under "currency"`]);
});

test("a comma within brackets does not separate investors", async () => {
  const { records } = await made(
    [
      "Company,Date,Amount,Investors",
      'Alpha One,2023-01-10,1000000,"Red Fund, Business Angels (Ann Lee, Bo Chen, Cy Diaz)"',
      'Beta Two,2023-01-11,2000000,"Blue Fund (via Blue Asia, Ltd), Red Fund"',
    ].join("\n"),
  );
  const investors = [...records].flatMap(([id, record]) => (id.startsWith("inv-") ? [record] : []));
  expect(investors).toMatchObject([
    { name: "Red Fund" },
    { name: "Business Angels (Ann Lee, Bo Chen, Cy Diaz)" },
    { name: "Blue Fund (via Blue Asia, Ltd)" },
  ]);
});

test("one row per investor: rows are merged", async () => {
  const { records, refused } = await made(
    [
      "company_permalink,company_name,investor_name,funded_at,funded_month,raised_amount_usd",
      "/company/acme,Acme,Blue,2012-06-30,2012-06,1750000",
      "/company/acme,Acme,Red,2012-06-30,2012-06,1750000",
      "/company/beta,Beta,Red,2012-07-30,2012-07,",
    ].join("\n"),
  );
  expect(refused).toEqual([]);
  expect(records.get("rnd-acme-2012-06-30-round-1750000")).toMatchObject({ investor_ids: ["inv-blue", "inv-red"] });
  expect(records.get("rnd-beta-2012-07-30-round-undisclosed")).toMatchObject({ amount_usd: null });
});

test("a list of companies gives companies", async () => {
  const { suggestion, records } = await made(
    "Name\tWebsite\tIndustry\tFounded\tEmployees\nAcme\thttps://www.acme.com/about\tFintech\t2012\t1,200\n",
  );
  expect(suggestion!.mapping).toMatchObject({ delimiter: "\t" });
  expect(records.get("co-acme")).toMatchObject({
    domain: "acme.com",
    category: "Fintech",
    founded_year: 2012,
    headcount: 1200,
  });
});

test("a file without companies gives none", async () => {
  expect((await made("a,b\n1,2\n")).suggestion).toBeUndefined();
});

describe("day or month first", () => {
  const dates = async (header: string, written: string[], answers: Answers = {}) => {
    const read = await made(
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

describe("the unit of amounts", () => {
  const amounts = (header: string, ...texts: string[]) =>
    made([`Company,Date,"${header}"`, ...texts.map((text, day) => `Acme ${day},2020-01-1${day},"${text}"`)].join("\n"));
  test.each([
    ["funds_raised_millions", 1e6],
    ["$ Raised mm", 1e6],
    ["Amount (USD Millions)", 1e6],
    ["Total raised ($mm)", 1e6],
    ["Raised (k)", 1e3],
    ["Amount_in_lakhs", 1e5],
    ["Amount (in Crores)", 1e7],
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
    ["the name is not English and names no currency", "Betrag", ["125000"], "amount_currency"],
  ])("asked where %s", async (_, header, texts, id) => {
    expect(questionsOf(await amounts(header, ...texts))).toEqual([id]);
  });
});

test("a question asks for one of two columns, and the answer counts", async () => {
  const content = "Company,Date,Offered amount,Agreed amount\nAcme,2020-01-02,500000,600000\n";
  const read = await made(content);
  expect(read.suggestion!.questions).toMatchObject([
    { id: "amount", answers: { "Offered amount": "such as '500000'", "Agreed amount": "such as '600000'" } },
  ]);
  const answered = await made(content, { amount: "Agreed amount" });
  expect(questionsOf(answered)).toEqual([]);
  expect(answered.records.get("rnd-acme-2020-01-02-1")).toMatchObject({ amount_usd: 600_000 });
});

test("where no name says which column holds the companies, it is asked", async () => {
  const read = await made("Ding,Datum,Betrag (USD)\nAcme,13.01.2020,600000\nBeta,14.01.2020,700000\n");
  expect(read.suggestion!.questions).toMatchObject([{ id: "company", answers: { Ding: "such as 'Acme', 'Beta'" } }]);
});

test("a text that says nothing in one column may be a name in another", async () => {
  const read = await made("Company,Date,Amount\nNone,2020-01-02,none\nNil,2020-01-03,600000\n");
  expect(read.refused).toEqual([]);
  expect([...read.records.keys()]).toEqual(expect.arrayContaining(["co-none", "co-nil"]));
});

describe.each([
  ["crunchbase-2013-rounds.csv.gz", 1, []],
  // Its lists end in `Samsung and SAP`.
  ["india-2020-rounds.csv", 0.99, ["list_separator"]],
])("%s", (file, share, questions) => {
  const path = join(real, file);
  if (!existsSync(path)) console.log(`not suggested for: there is no ${path} (TRANCHE_REAL_DATA says where it is)`);

  test.skipIf(!existsSync(path))("gives records by its suggestion as it stands", { timeout: 120_000 }, async () => {
    const bytes = readFileSync(path);
    const read = await bySuggestion(path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
    const { records, refused } = read;
    const rounds = [...records.keys()].filter((id) => id.startsWith("rnd-")).length;
    expect(questionsOf(read)).toEqual(questions);
    expect(Object.keys(meanings(read))).toEqual(
      expect.arrayContaining(["the day of the round", "the amount of the round", "the type of the round"]),
    );
    expect(rounds).toBeGreaterThan(3000);
    expect(rounds / (rounds + refused.length)).toBeGreaterThanOrEqual(share);
  });
});

test("a file that is not text is refused with what it is, and UTF-16 is read", async () => {
  await expect(made(Buffer.from("504b030400000000", "hex"))).rejects.toThrow("Excel workbook");
  const { suggestion, records } = await made(
    iconv.encode("Company;Country\nAcme;Germany\n", "utf16", { addBOM: true }),
  );
  expect(suggestion!.mapping).toMatchObject({ encoding: "utf16", delimiter: ";" });
  expect(records.get("co-acme")).toMatchObject({ name: "Acme", country: "DE" });
});

describe("JSON", () => {
  const nested = [
    {
      name: "Acme",
      hq: { city: "Berlin", country: "Germany" },
      funding_rounds: [
        {
          announced_on: "2020-01-13",
          type: "Seed",
          money_raised: { value: 2_500_000, currency: "USD" },
          investors: ["Blue Fund", "Green, Partners"],
        },
        { announced_on: "2021-02-03", type: "Series A", money_raised: null, investors: ["Red, Inc."] },
      ],
    },
    { name: "Beta", hq: { city: "Paris", country: "France" }, funding_rounds: [] },
  ];

  test("an array with nested rounds: a row for each", async () => {
    const read = await made(JSON.stringify(nested));
    expect(questionsOf(read)).toEqual([]);
    expect(read.suggestion!.mapping).toMatchObject({ format: "json", for_each: "funding_rounds" });
    expect(read.refused).toEqual([]);
    expect(read.records.get("co-beta")).toMatchObject({ country: "FR", city: "Paris" });
    expect(read.records.get("rnd-acme-2020-01-13-1")).toMatchObject({
      amount_usd: 2_500_000,
      deal_type: "seed",
      investor_ids: ["inv-blue-fund", "inv-green-partners"],
    });
    expect(read.records.get("rnd-acme-2021-02-03-1")).toMatchObject({
      amount_usd: null,
      investor_ids: ["inv-red-inc"],
    });
  });

  test("lines, and one object around a list over several lines", async () => {
    const rows = [
      {
        companyName: "Acme",
        fundingDate: "2020-01-13T00:00:00.000Z",
        amountUsd: 2_500_000,
        investors: [{ name: "Blue", lead: true }],
      },
      { companyName: "Beta", fundingDate: "2020-02-13T00:00:00.000Z", amountUsd: null, investors: [] },
    ];
    for (const [text, path] of [
      [rows.map((row) => JSON.stringify(row)).join("\n"), undefined],
      [JSON.stringify({ meta: { total: 2 }, results: rows }, null, 1), "results"],
    ] as const) {
      const read = await made(text);
      expect(read.suggestion!.mapping).toMatchObject({ format: "json", ...(path ? { for_each: path } : {}) });
      expect([questionsOf(read), read.refused]).toEqual([[], []]);
      expect(read.records.get("rnd-acme-2020-01-13-1")).toMatchObject({
        amount_usd: 2_500_000,
        investor_ids: ["inv-blue"],
      });
      expect(read.records.get("rnd-beta-2020-02-13-1")).toMatchObject({ amount_usd: null, investor_ids: [] });
    }
  });
});

describe("signals", () => {
  const signals = ({ records }: Made) =>
    [...records.values()]
      .filter(({ type }) => type === "signal")
      .map(({ company_id: company, key, detected_at: day }) => [company, key, day]);

  test("layoffs are not rounds, though the list has stages and funds", async () => {
    const read = await made(
      [
        "company,location,industry,total_laid_off,percentage_laid_off,date,stage,country,funds_raised_millions",
        "Acme,Berlin,Retail,120,0.2,1/13/2023,Series B,Germany,210",
        "Beta,Paris,Food,,,1/14/2023,Seed,France,1.5",
      ].join("\n"),
    );
    expect(questionsOf(read)).toEqual([]);
    expect(signals(read)).toEqual([
      ["co-acme", "layoffs", "2023-01-13"],
      ["co-beta", "layoffs", "2023-01-14"],
    ]);
    expect([...read.records.values()].map(({ type }) => type)).not.toContain("round");
    expect(read.suggestion!.notes.join()).toContain("The rows are about layoffs");
    expect(read.suggestion!.columns.find(({ column }) => column === "stage")!.why).toContain("there are no rounds");
  });

  test("acquisitions are signals of both companies; year and month may have columns of their own", async () => {
    const read = await made(
      [
        "ID,Parent Company,Acquisition Year,Acquisition Month,Acquired Company,Business,Country,Acquisition Price",
        "1,Apple,2012,Mar,Chomp,App search engine,United States,$50000000",
        "2,Google,2013,Feb,Channel Intelligence,Product reference,United States,$125000000",
      ].join("\n"),
    );
    expect(signals(read)).toEqual([
      ["co-chomp", "acquired", "2012-03-01"],
      ["co-apple", "acquisition_made", "2012-03-01"],
      ["co-channel-intelligence", "acquired", "2013-02-01"],
      ["co-google", "acquisition_made", "2013-02-01"],
    ]);
  });

  test("open positions are the signal hiring, once for a company and day", async () => {
    const read = await made(
      "Job title,Company,Posted at,City\nEngineer,Acme,2023-01-13,Berlin\nDesigner,Acme,2023-01-13,Berlin\n",
    );
    expect(signals(read)).toEqual([["co-acme", "hiring", "2023-01-13"]]);
  });

  test("a person decides what the rows are about", async () => {
    const content = "company,total_laid_off,date,stage\nAcme,120,2023-01-13,Seed\n";
    const read = await made(content, { kind: "rounds" });
    expect(signals(read)).toEqual([]);
    expect(read.records.get("rnd-acme-2023-01-13-1")).toMatchObject({ deal_type: "seed" });
  });
});

describe("a currency in the name of the amount, and a column of currencies", () => {
  const rows = (header: string, ...lines: string[]) => made([header, ...lines].join("\n"));
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
    const read = await made(content.join("\n"), { currency: "none" });
    expect(questionsOf(read)).toEqual([]);
    expect(read.records.get("rnd-acme-2020-01-13-1")).toMatchObject({ amount_usd: 500_000 });
  });
});

test("a mark that may be part of a name is asked about", async () => {
  const content = "Company,Date,Investors\nAcme,2020-01-13,Blue/Red\nBeta,2020-01-14,Green\n";
  expect(questionsOf(await made(content))).toEqual(["list_separator"]);
  const investors = async (answer: string) =>
    (await made(content, { list_separator: answer })).records.get("rnd-acme-2020-01-13-1")!["investor_ids"];
  expect(await investors("split")).toEqual(["inv-blue", "inv-red"]);
  expect(await investors("keep")).toEqual(["inv-blue-red"]);
});

test.each([
  ["Acme,2020-01-13,500000\nBeta,2020-02-13,600000\n", "looks like a row ('Acme', '2020-01-13', '500000')"],
  ["Deals 2020,,,\nCompany,Date,Amount,Round\nAcme,2020-01-13,500000,Seed\n", "has no names for 3 of its 4 columns"],
  ["Company,Date,Date\nAcme,2020-01-13,2020-01-14\n", "more than one column 'Date'"],
])("a file whose first line does not name its columns is refused: %j", async (content, reason) => {
  await expect(made(content)).rejects.toThrow(reason);
});

test("dollars of a country that has its own are asked about", async () => {
  const rows = (country: string) =>
    made(
      [
        "Company,Date,Amount,Country",
        ...Array.from({ length: 5 }, (_, row) => `A${row},2020-01-1${row},$5M,${country}`),
      ].join("\n"),
    );
  expect(questionsOf(await rows("Canada"))).toEqual(["amount_currency"]);
  expect(questionsOf(await rows("United States"))).toEqual([]);
});

test("codes of states are no countries, and no cities", async () => {
  const read = await made(
    "Company,Date,Amount,Location\nA,2020-01-13,$5M,CA\nB,2020-01-14,$6M,NY\nC,2020-01-15,$6M,DE\n",
  );
  expect(read.suggestion!.columns.at(-1)).toMatchObject({ column: "Location", sure: "not used" });
});

test("of two columns that matter less the first is taken, and the other one named", async () => {
  const read = await made(
    "Company,Date,Amount,Sector,Industry\nA,2020-01-13,$5M,Food,Retail\nB,2020-01-14,$6M,Health,Care\n",
  );
  expect(questionsOf(read)).toEqual([]);
  expect(read.suggestion!.columns.at(-1)!.why).toContain("which is taken from 'Sector'");
});

test("a total so far, other days and the head of a company are not taken for a round", async () => {
  const read = await made(
    "Name,Company CEO,Announced Date,Date added,Amount,Total raised to date,Pre-money Valuation\n" +
      "Acme,Ann Lee,2023-01-13,2024-01-01,5000000,15000000,50000000\n",
  );
  expect(questionsOf(read)).toEqual([]);
  expect(meanings(read)).toEqual({
    "the name of the company": "Name",
    "the day of the round": "Announced Date",
    "the amount of the round": "Amount",
  });
  expect(read.suggestion!.columns.find(({ column }) => column === "Amount")).toMatchObject({ sure: "likely" });
});

describe("files that are no tables", () => {
  const refusal = (bytes: Buffer) =>
    suggestionFor({ bytes, isWhole: true }, { dealTypes: dealTypes(), today: "2026-01-01" }, {}).then(
      () => undefined,
      (error: Error) => error.message,
    );

  test.each<[string, Buffer, string]>([
    ["a zip archive with another name", Buffer.from("504b030414000000", "hex"), "zip archive"],
    ["a picture", Buffer.from(`89504e470d0a1a0a${"00ff".repeat(50)}`, "hex"), "is not text"],
    ["no header", Buffer.from("Acme,2020-01-01,1000000\nBeta,2020-02-01,2000000\n"), "looks like a row"],
    [
      "a title above the header",
      Buffer.from("Rounds of 2020,,\nName,Date,Amount\nAcme,2020-01-13,1\n"),
      "no names for 2",
    ],
    [
      "10,000 columns",
      Buffer.from(`${Array.from({ length: 10_000 }, (_, n) => `c${n}`).join(",")}\n`),
      "has 10,000 columns",
    ],
    ["nothing", Buffer.alloc(0), "is empty"],
  ])("%s", async (_, bytes, text) => {
    expect(await refusal(bytes)).toContain(text);
  });
});

test("the expressions of a suggestion take linear time, whatever a row has later", async () => {
  const csv =
    "Company,Date,Amount (EUR)\nAcme,2020-01-13 12:05,1-2\nBeta,Jan 14th of 2020 9:05 PM,2.5\nGamma,1. März 2021,about 3\n";
  const { mapping } = (await made(csv)).suggestion!;
  const written = JSON.stringify(mapping);
  expect(written).toContain("–");
  const expressions: string[] = [];
  JSON.parse(written, (key, value: unknown) => {
    if (key === "replace") for (const [from] of value as [string][]) expressions.push(from);
    if (key === "empty") expressions.push(...(value as string[]).map((each) => `^(?:${each})$`));
    return value;
  });
  expect(expressions.length).toBeGreaterThan(2);
  for (const expression of expressions)
    for (const text of ["9", "t", "-", " ", "9-", "a "]) {
      const started = performance.now();
      `${text.repeat(100_000)}!`.replace(new RegExp(expression, "giu"), "");
      expect([expression, text, performance.now() - started < 300]).toEqual([expression, text, true]);
    }
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
  const read = await made(EUROS, { rates });
  expect(questionsOf(read)).toEqual([]);
  expect(read.suggestion!.mapping).toMatchObject({ values: { amount: { currency: { rates: expected } } } });
});

test.each(["1 08", "EUR=1.08 0.3", "EUR=1,08,3", "EUR=1080", "EUR=1,08,EUR=2", "EUR", "EUR=0", "GBP=1.2"])(
  "'%s' is no rate of the euro, and the question stays",
  async (rates) => expect(questionsOf(await made(EUROS, { rates }))).toEqual(["rates"]),
);

test.each([
  ["Belopp", "25 Mkr", "kr=0.1", 2_500_000],
  ["Belopp (SEK)", "25 Mkr", "SEK=0.1", 2_500_000],
  ["Belopp (Mkr)", "25", "kr=0.1", 2_500_000],
  ["Belopp", "25 MSEK", "SEK=0.1", 2_500_000],
])("crowns: '%s' with '%s' asks for one rate", async (name, text, rates, amount) => {
  const file = `Bolag,Datum,${name},Investerare\nAcme,2024-01-13,${text},Blå Fond\nBeta,2024-02-14,${text},Röd Fond\n`;
  expect(questionsOf(await made(file))).toEqual(["rates"]);
  const { records } = await made(file, { rates });
  expect(records.get("rnd-acme-2024-01-13-1")).toMatchObject({ amount_usd: amount, investor_ids: ["inv-bla-fond"] });
});

test.each([
  ["Debt Amount,Equity Amount", "5000000,2000000"],
  ["Equity ($M),Debt ($M)", "5,2"],
  ["Debt,Equity", "$5m,$2m"],
])("of debt and equity in columns of their own ('%s') one is chosen by a person", async (names, amounts) => {
  const read = await made(`Company,Date,${names}\nAcme,2024-01-13,${amounts}\nBeta,2024-01-14,${amounts}\n`);
  const [question] = read.suggestion!.questions;
  expect(question).toMatchObject({ id: "amount" });
  expect(Object.keys(question!.answers)).toEqual(expect.arrayContaining([...names.split(","), "none"]));
});

test("a place is a city and a country, where the country is certain", async () => {
  const places = [
    ["Berlin, Germany", "Berlin", "DE"],
    ["San Francisco, California, United States, North America", "San Francisco", "US"],
    ["Austin, TX, USA", "Austin", "US"],
    ["Toronto, CA", "Toronto", null],
    ["Atlanta, Georgia", "Atlanta", null],
    ["Norway", null, "NO"],
  ] as const;
  for (const name of ["Organization Location", "Headquarters", "Location"]) {
    const rows = places.map(([place], n) => `Firm ${n},"${place}",2024-01-1${n + 3},5000000,Blue`);
    const read = await made([`Company,${name},Date,Amount,Investors`, ...rows].join("\n"));
    for (const [n, [, city, country]] of places.entries())
      expect(read.records.get(`co-firm-${n}`)).toMatchObject({ city, country });
  }
});

test("a place beside a column of countries is a city alone", async () => {
  const { records } = await made('Company,Location,Country\nAcme,"Berlin, Germany",DE\nBeta,"Paris, France",FR\n');
  expect(records.get("co-acme")).toMatchObject({ city: "Berlin", country: "DE" });
});

test("employees in notices of layoffs are no headcount", async () => {
  const read = await made(
    "Company Name,Notice Date,No. Of Employees,Layoff/Closure\nAcme,01/13/2024,120,Layoff\nBeta,01/24/2024,45,Closure\n",
  );
  expect(read.suggestion!.kind).toBe("layoffs");
  expect(read.records.get("co-acme")).not.toHaveProperty("headcount");
});

test("titles of projects are no names of companies", async () => {
  const read = await made(
    "title;startDate;coordinator\nBlue things;2024-01-13;Acme GmbH\nRed things;2024-02-28;Beta Oy\n",
  );
  expect(questionsOf(read)).toContain("company");
});

test("marks that say whether an investor leads are no investors", async () => {
  const company = (name: string, day: string) => ({
    name,
    rounds: [
      {
        announced_on: day,
        amount: 5_000_000,
        investors: [
          { name: "Blue", lead: true },
          { name: "Red", lead: false },
        ],
      },
    ],
  });
  const read = await made(
    JSON.stringify({ companies: [company("Acme", "2024-01-13"), company("Beta", "2024-02-14")] }),
  );
  expect(meanings(read)).not.toHaveProperty("the lead investors");
  expect([...read.records.keys()].filter((id) => id.startsWith("inv-"))).toEqual(["inv-blue", "inv-red"]);
});

test("a total behind the sample is refused beside its line", async () => {
  const rows = Array.from({ length: 900 }, (_, n) => `Company ${n} ${"x".repeat(300)},Germany,Berlin,${n}`);
  const { records, refused } = await bySuggestion(
    Buffer.from(["Company,Country,City,Employees", ...rows, "Total,,,404550"].join("\n")),
  );
  expect(refused).toEqual([expect.stringContaining("'Total' without country, city sums up other rows")]);
  expect(records.has("co-total")).toBe(false);
});

test("a file of which nothing can be told gets a short text", async () => {
  const suggest = (bytes: Buffer) =>
    suggestionFor({ bytes, isWhole: true }, { dealTypes: dealTypes(), today: "2026-01-01" }, {});
  const refusal = async (bytes: Buffer) => (await suggest(bytes).catch((error: Error) => error)) as Error;
  const long = await refusal(Buffer.alloc(300_000, "a"));
  expect(long.message).toMatch(/^none of the columns \('a{60}'\) can hold the names of companies/);
  const wide = await refusal(Buffer.from(`${Array.from({ length: 900 }, (_, n) => `x${n}`).join(",")}\n`));
  expect(wide.message).toContain("'x19', 880 more)");
  const json = await refusal(iconv.encode('[{"Company":"Acme","Date":"2024-01-13"}]\n', "utf16"));
  expect(json.message).toContain("is JSON in UTF-16, expected UTF-8");
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
    const { records } = await made(file);
    expect(records.get("rnd-acme-2024-01-13-1")).toMatchObject({ amount_usd: 5_000_000 });
  },
);

describe("of several lists in JSON, the one of rounds has the rows", () => {
  const round = (day: string, over = {}) => ({ date: day, type: "Seed", amount_usd: 5_000_000, ...over });
  const company = (name: string, rounds: object[], over = {}) => ({ name, country: "Germany", rounds, ...over });
  const days = (read: Made) => ofType(read, "round").map(({ announced_date: day }) => day);
  const lines = (...values: object[]) => values.map((value) => JSON.stringify(value)).join("\n");

  test("beside one of acquisitions, and a total of the company", async () => {
    const over = { total_funding_usd: 10_000_000, acquisitions: [{ name: "Tiny", date: "2022-01-01" }] };
    const read = await made(
      lines(
        company("Acme", [round("2021-05-04"), round("2024-03-02")], over),
        company("Beta", [round("2024-03-01")], { ...over, acquisitions: [] }),
      ),
    );
    expect(questionsOf(read)).toEqual([]);
    expect(days(read)).toEqual(["2021-05-04", "2024-03-02", "2024-03-01"]);
  });

  test("where few companies have several rounds", async () => {
    const single = Array.from({ length: 40 }, (_, n) => company(`Company ${n}`, [round("2021-05-04")]));
    const read = await made(lines(...single, company("Acme", [round("2021-05-04"), round("2024-03-02")])));
    expect([days(read).length, read.refused]).toEqual([42, []]);
  });

  test("beside the last round of each company", async () => {
    const last = { last_funding_date: "2024-03-02", last_funding_type: "Seed", last_funding_amount: 5_000_000 };
    const rounds = [round("2021-05-04", { investors: ["Blue"] }), round("2024-03-02", { investors: ["Red"] })];
    const read = await made(lines(company("Acme", rounds, last), company("Beta", [round("2024-03-02")], last)));
    expect(days(read)).toHaveLength(3);
  });

  test("and rounds with a list of investors are the rows themselves", async () => {
    const rounds = ["Acme", "Beta"].map((name) => ({
      company: name,
      ...round("2024-03-02"),
      investors: [{ name: "Blue" }, { name: "Red" }],
    }));
    const read = await made(lines(...rounds));
    expect(days(read)).toHaveLength(2);
    expect(ofType(read, "round")[0]).toMatchObject({ investor_ids: ["inv-blue", "inv-red"] });
  });
});

test("units in a column of their own belong to the amounts of their rows", async () => {
  const read = await made(
    "Company,Date,Amount,Unit,Currency\nAcme,2024-01-13,5.5,M,USD\nBeta,2024-01-14,700,K,USD\nGamma,2024-01-15,,M,USD\n",
  );
  expect(questionsOf(read)).toEqual([]);
  expect(ofType(read, "round").map(({ amount_usd }) => amount_usd)).toEqual([5_500_000, 700_000, null]);
});

test.each(["Q3", "3"])("a quarter such as '%s' beside its year is a part of the date", async (quarter) => {
  const read = await made(
    `Company,Year,Quarter,Amount (USD),Investors\nAcme,2023,${quarter},5000000,Blue\nBeta,2024,${quarter.replace("3", "1")},7000000,Red\n`,
  );
  expect(ofType(read, "round").map(({ announced_date: day }) => day)).toEqual(["2023-07-01", "2024-01-01"]);
});

test("addresses that Notion writes behind names are taken off", async () => {
  const link = (name: string) => `${name} (https://www.notion.example/${name}-1?pvs=21)`;
  const read = await made(
    [
      "Name,Amount,Closing,Lead investor,Co-investors",
      `${link("Acme")},"$5,000,000","January 13, 2024",${link("Blue")},"${link("Red")}, ${link("Green")}"`,
      `Beta,"$7,500,000","February 14, 2024",${link("Red")},`,
    ].join("\n"),
  );
  expect(questionsOf(read)).toEqual([]);
  expect(ofType(read, "company").map(({ name }) => name)).toEqual(["Acme", "Beta"]);
  expect(new Set(ofType(read, "investor").map(({ name }) => name))).toEqual(new Set(["Blue", "Red", "Green"]));
});

test("the source of a sales lead is no lead investor", async () => {
  const read = await made(
    "Account Name,Amount,Close Date,Lead Source,Lead Investor\nAcme,$5m,2024-01-13,Referral,Blue\nBeta,$7m,2024-02-14,Web,Red\n",
  );
  expect(meanings(read)).toMatchObject({ "the lead investors": "Lead Investor" });
  const without = await made(
    "Account Name,Amount,Close Date,Lead Source\nAcme,$5m,2024-01-13,Referral\nBeta,$7m,2024-02-14,Web\n",
  );
  expect(ofType(without, "investor")).toEqual([]);
});

test("a name of rounds that holds their types is used, and empty columns raise no question", async () => {
  const read = await made(
    "Company,Round Date,Round Name,Round Amount (in USD),Round Post Money Valuation (in USD),Round Revenue Multiple\n" +
      "Acme,2024-01-13,Series A,5400000,,\nBeta,2024-02-14,Seed,890000,,\n",
  );
  expect(questionsOf(read)).toEqual([]);
  expect(ofType(read, "round").map(({ deal_type: type }) => type)).toEqual(["series_a", "seed"]);
});

test("names of columns in French and Japanese need no question", async () => {
  const french = await made(
    "Société;Date;Montant ($M);Tour de table;Créée en\nCôte Bleue;13/01/2024;2,8;Amorçage;2019\nÉté SAS;28/02/2024;12;Série A;2021\n",
  );
  expect(questionsOf(french)).toEqual([]);
  expect(meanings(french)).toMatchObject({
    "the type of the round": "Tour de table",
    "the year in which the company was founded": "Créée en",
  });
  const japanese = await made(
    "会社名,調達日,調達額,所在地\nアクメ,2024年1月13日,$5m,東京\nベータ,2024年2月28日,$1m,大阪\n",
  );
  expect(questionsOf(japanese)).toEqual([]);
  expect(meanings(japanese)).toMatchObject({ "the day of the round": "調達日", "the city of the company": "所在地" });
});

test("numbered columns of investors are one list", async () => {
  const read = await made(
    "Company,Date,Amount,Investor 1,Investor 2,Investor 3\nAcme,2024-01-13,$5m,Blue,Red,\nBeta,2024-02-14,$7m,Green,,n/a\n",
  );
  expect(questionsOf(read)).toEqual([]);
  expect(ofType(read, "round").map(({ investor_ids: ids }) => ids)).toEqual([["inv-blue", "inv-red"], ["inv-green"]]);
  expect(read.suggestion!.columns.filter(({ role }) => role === "investors")).toHaveLength(3);
});

test("deals of a CRM: the company that is associated, and the day that they closed", async () => {
  const read = await made(
    "Deal Name,Close Date,Amount,Associated Company,Create Date\nAcme A,2024-01-13 10:15,$5m,Acme GmbH,2023-11-01 09:00\nBeta S,2024-02-28 16:40,$7m,Beta SAS,2023-12-05 11:30\n",
  );
  expect(questionsOf(read)).toEqual([]);
  expect(ofType(read, "company").map(({ name }) => name)).toEqual(["Acme GmbH", "Beta SAS"]);
  expect(ofType(read, "round").map(({ announced_date: day }) => day)).toEqual(["2024-01-13", "2024-02-28"]);
});
