import { expect, test } from "vitest";
import {
  byLines,
  bySuggestion,
  type Made,
  meaningsOf,
  namesOf,
  ofType,
  questionsOf,
} from "../../../tests/support/by-suggestion.ts";

/** The columns and members that well-known programs and registers write, with invented rows. */
const rounds = (made: Made) =>
  ofType(made, "round").map((round) => [
    String(round["company_id"]).slice(3),
    round["announced_date"],
    round["amount_usd"],
    round["deal_type"],
  ]);
const EXPECTED = [
  ["kite", "2023-05-14", 12_000_000, "series_a"],
  ["moss", "2021-02-02", 500_000, "seed"],
];

test.each([
  [
    "rounds with the amount in two currencies, and totals in two more",
    "Organization Name,Transaction Name,Announced Date,Funding Type,Money Raised,Money Raised Currency,Money Raised (in USD),Total Funding Amount,Total Funding Amount Currency,Total Funding Amount (in USD)",
    "Kite,Series A - Kite,2023-05-14,series_a,11000000,EUR,12000000,13000000,EUR,14000000",
    "Moss,Seed - Moss,2021-02-02,seed,500000,USD,500000,600000,USD,600000",
  ],
  [
    "companies with their last round",
    "Organization Name,Last Funding Date,Last Funding Amount,Last Funding Amount Currency,Last Funding Amount (in USD),Last Funding Type,Founded Date,Total Funding Amount (in USD)",
    "Kite,2023-05-14,11000000,EUR,12000000,series_a,2018-03-01,16000000",
    "Moss,2021-02-02,500000,USD,500000,seed,2020-01-01,500000",
  ],
  [
    "columns that all begin with the name of their list",
    "Deal - ID,Deal - Title,Deal - Organization,Deal - Value,Deal - Currency,Deal - Round,Deal - Deal created,Deal - Won time,Deal - Expected close date",
    "11,Kite A,Kite,12000000,USD,series_a,2023-01-02 10:00:00,2023-05-14 09:30:00,2023-06-01",
    "12,Moss S,Moss,500000,USD,seed,2021-01-02 10:00:00,2021-02-02 09:30:00,2021-03-01",
  ],
  [
    "columns that are looked up in another list",
    "Name,Company (from Companies),Round,Date,Amount",
    'Kite - Series A,Kite,series_a,5/14/2023,"$12,000,000.00"',
    "Moss - Seed,Moss,seed,2/2/2021,$500k",
  ],
  [
    "investments of a fund",
    "Company,Stage,Investment Date,Check Size,Ownership %",
    "Kite,series_a,2023-05-14,$12M,5%",
    "Moss,seed,2021-02-02,$500k,2%",
  ],
])("%s", async (_, ...lines) => {
  const made = await byLines(lines);
  expect([questionsOf(made), made.refused, rounds(made)]).toEqual([[], [], EXPECTED]);
});

const items = EXPECTED.map(([company, date, amount, type]) => ({ company, date, amount, type }));

test.each<[string, object]>([
  [
    "edges and nodes",
    {
      data: {
        companies: {
          edges: items.map(({ company, ...round }) => ({
            node: { name: company, fundingRounds: { edges: [{ node: round }] } },
          })),
        },
      },
    },
  ],
  [
    "edges and nodes of rounds",
    {
      data: {
        rounds: { edges: items.map(({ company: name, ...round }) => ({ node: { company: { name }, ...round } })) },
      },
    },
  ],
  ["attributes", { data: items.map((attributes, n) => ({ type: "rounds", id: String(n + 7), attributes })) }],
  [
    "features of a map",
    {
      type: "FeatureCollection",
      features: items.map((properties) => ({ type: "Feature", geometry: { type: "Point" }, properties })),
    },
  ],
  [
    "objects of rounds in each company",
    items.map(({ company, date, amount, type }) => ({ company, rounds: { [String(type)]: { date, amount } } })),
  ],
  [
    "letters of rounds, with the parts of their days",
    items.map(({ company, date, amount }, n) => ({
      name: company,
      total_money_raised: "$12M",
      funding_rounds: [
        {
          round_code: n === 0 ? "a" : "seed",
          raised_amount: amount,
          raised_currency_code: "USD",
          funded_year: Number(String(date).slice(0, 4)),
          funded_month: Number(String(date).slice(5, 7)),
          funded_day: Number(String(date).slice(8)),
          investments: [{ company: null, financial_org: { name: "Blue" }, person: null }],
        },
      ],
    })),
  ],
])("JSON with %s", async (_, json) => {
  const made = await bySuggestion(JSON.stringify(json));
  expect([questionsOf(made), made.refused, rounds(made)]).toEqual([[], [], EXPECTED]);
});

test("lists of layoffs: places abroad, and people who are impacted", async () => {
  const abroad = await byLines([
    "Company,Location HQ,# Laid Off,Date,%,$ Raised (mm),Country,Date Added",
    '"Kite","Berlin,Non-U.S.",120,5/14/2023,20%,$210,Germany,5/15/2023',
  ]);
  expect([questionsOf(abroad), ofType(abroad, "company")]).toMatchObject([[], [{ city: "Berlin", country: "DE" }]]);
  const impacted = await byLines(["Company,Date,Employees impacted", 'Kite,"May 14, 2023",120']);
  expect([questionsOf(impacted), impacted.suggestion!.kind]).toEqual([[], "layoffs"]);
});

test("notices of layoffs take effect later", async () => {
  const made = await byLines([
    "Employer,Notice Date,Effective Date,Number of Employees Affected",
    "Kite,05/14/2023,07/13/2023,120",
  ]);
  expect([questionsOf(made), ofType(made, "signal")]).toMatchObject([[], [{ detected_at: "2023-05-14" }]]);
});

test("other investors beside those who lead", async () => {
  const made = await byLines(["Company,Raised,Lead,Others,Date", 'Kite,$12M,Blue,"Red, Grey",5/14/2023']);
  expect([questionsOf(made), namesOf(made, "investor")]).toEqual([[], ["Red", "Grey", "Blue"]]);
});

test("filings of offerings, with names in one word", async () => {
  const made = await byLines([
    "CIK\tENTITYNAME\tCITY\tFILING_DATE\tTOTALOFFERINGAMOUNT\tTOTALAMOUNTSOLD\tTOTALREMAINING",
    "1811111\tKite\tAUSTIN\t14-MAY-2023\t12000000\t9000000\t3000000",
  ]);
  expect([questionsOf(made), rounds(made)]).toEqual([[], [["kite", "2023-05-14", 9_000_000, undefined]]]);
});

test("a register of companies: its kinds of companies are no categories, and its days no rounds", async () => {
  const made = await byLines([
    "CompanyName,RegAddress.PostTown,RegAddress.Country,CompanyCategory,IncorporationDate",
    "KITE LTD,LEEDS,ENGLAND,Private Limited Company,14/05/2018",
  ]);
  expect([questionsOf(made), ofType(made, "round")]).toEqual([[], []]);
  expect(ofType(made, "company")).toEqual([
    { type: "company", id: "co-kite-ltd", name: "KITE LTD", city: "LEEDS", country: "GB", founded_year: 2018 },
  ]);
});

test("lead investors in other languages", async () => {
  for (const name of ["Inversor líder", "Investidor líder", "Investisseur principal", "Leadinvestor"]) {
    const made = await byLines([`Startup,Date,Amount,${name},Investors`, "Kite,2023-05-14,$12M,Blue,Red"]);
    expect(meaningsOf(made)).toMatchObject({ "the lead investors": name });
    expect(namesOf(made, "investor")).toEqual(["Red", "Blue"]);
  }
});
