import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { bySuggestion, daysIn, meaningsOf, ofType, questionsOf } from "../../../tests/support/by-suggestion.ts";

const project = join(import.meta.dirname, "../../..");
const real = process.env["TRANCHE_REAL_DATA"] ?? join(project, "../shared/data");

test("a list of rounds: company, date, amount, type, investors, country and city are recognised", async () => {
  const read = await bySuggestion(
    [
      "Company,Country,City,Round,Announced,Amount raised,Investors,Comment",
      'Acme,Germany,Berlin,Series A,13/02/2020,"$2,500,000","Blue Fund, Red & Co",x',
      "Beta,France,Paris,Seed,01/03/2020,$500k,Green,",
      "Gamma,France,,Seed,02/03/2020,undisclosed,,",
    ].join("\n"),
  );
  const { suggestion, records, refused } = read;
  expect(refused).toEqual([]);
  expect(meaningsOf(read)).toEqual({
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
  const { suggestion, records, refused } = await bySuggestion(
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

test("one row per investor: rows are merged", async () => {
  const { records, refused } = await bySuggestion(
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
  const { suggestion, records } = await bySuggestion(
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
  expect((await bySuggestion("a,b\n1,2\n")).suggestion).toBeUndefined();
});

test("a question asks for one of two columns, and the answer counts", async () => {
  const content = "Company,Date,Offered amount,Agreed amount\nAcme,2020-01-02,500000,600000\n";
  const read = await bySuggestion(content);
  expect(read.suggestion!.questions).toMatchObject([
    { id: "amount", answers: { "Offered amount": "such as '500000'", "Agreed amount": "such as '600000'" } },
  ]);
  const answered = await bySuggestion(content, { amount: "Agreed amount" });
  expect(questionsOf(answered)).toEqual([]);
  expect(answered.records.get("rnd-acme-2020-01-02-1")).toMatchObject({ amount_usd: 600_000 });
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
    expect(Object.keys(meaningsOf(read))).toEqual(
      expect.arrayContaining(["the day of the round", "the amount of the round", "the type of the round"]),
    );
    expect(rounds).toBeGreaterThan(3000);
    expect(rounds / (rounds + refused.length)).toBeGreaterThanOrEqual(share);
  });
});

test("of two columns that matter less the first is taken, and the other one named", async () => {
  const read = await bySuggestion(
    "Company,Date,Amount,Sector,Industry\nA,2020-01-13,$5M,Food,Retail\nB,2020-01-14,$6M,Health,Care\n",
  );
  expect(questionsOf(read)).toEqual([]);
  expect(read.suggestion!.columns.at(-1)!.why).toContain("which is taken from 'Sector'");
});

test("a total so far, other days and the head of a company are not taken for a round", async () => {
  const read = await bySuggestion(
    "Name,Company CEO,Announced Date,Date added,Amount,Total raised to date,Pre-money Valuation\n" +
      "Acme,Ann Lee,2023-01-13,2024-01-01,5000000,15000000,50000000\n",
  );
  expect(questionsOf(read)).toEqual([]);
  expect(meaningsOf(read)).toEqual({
    "the name of the company": "Name",
    "the day of the round": "Announced Date",
    "the amount of the round": "Amount",
  });
  expect(read.suggestion!.columns.find(({ column }) => column === "Amount")).toMatchObject({ sure: "likely" });
});

test("names of columns in French and Japanese need no question", async () => {
  const french = await bySuggestion(
    "Société;Date;Montant ($M);Tour de table;Créée en\nCôte Bleue;13/01/2024;2,8;Amorçage;2019\nÉté SAS;28/02/2024;12;Série A;2021\n",
  );
  expect(questionsOf(french)).toEqual([]);
  expect(meaningsOf(french)).toMatchObject({
    "the type of the round": "Tour de table",
    "the year in which the company was founded": "Créée en",
  });
  const japanese = await bySuggestion(
    "会社名,調達日,調達額,所在地\nアクメ,2024年1月13日,$5m,東京\nベータ,2024年2月28日,$1m,大阪\n",
  );
  expect(questionsOf(japanese)).toEqual([]);
  expect(meaningsOf(japanese)).toMatchObject({ "the day of the round": "調達日", "the city of the company": "所在地" });
});

test("deals of a CRM: the company that is associated, and the day that they closed", async () => {
  const read = await bySuggestion(
    "Deal Name,Close Date,Amount,Associated Company,Create Date\nAcme A,2024-01-13 10:15,$5m,Acme GmbH,2023-11-01 09:00\nBeta S,2024-02-28 16:40,$7m,Beta SAS,2023-12-05 11:30\n",
  );
  expect(questionsOf(read)).toEqual([]);
  expect(ofType(read, "company").map(({ name }) => name)).toEqual(["Acme GmbH", "Beta SAS"]);
  expect(daysIn(read)).toEqual(["2024-01-13", "2024-02-28"]);
});
