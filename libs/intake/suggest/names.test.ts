import { expect, test } from "vitest";
import {
  byLines,
  bySuggestion,
  meaningsOf,
  namesOf,
  ofType,
  questionsOf,
} from "../../../tests/support/by-suggestion.ts";

test("a comma within brackets does not separate investors", async () => {
  const { records } = await bySuggestion(
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

test("where no name says which column holds the companies, it is asked", async () => {
  const read = await bySuggestion("Ding,Datum,Betrag (USD)\nAcme,13.01.2020,600000\nBeta,14.01.2020,700000\n");
  expect(read.suggestion!.questions).toMatchObject([{ id: "company", answers: { Ding: "such as 'Acme', 'Beta'" } }]);
});

test("a text that says nothing in one column may be a name in another", async () => {
  const read = await bySuggestion("Company,Date,Amount\nNone,2020-01-02,none\nNil,2020-01-03,600000\n");
  expect(read.refused).toEqual([]);
  expect([...read.records.keys()]).toEqual(expect.arrayContaining(["co-none", "co-nil"]));
});

test("a mark that may be part of a name is asked about", async () => {
  const content = "Company,Date,Investors\nAcme,2020-01-13,Blue/Red\nBeta,2020-01-14,Green\n";
  expect(questionsOf(await bySuggestion(content))).toEqual(["list_separator"]);
  const investors = async (answer: string) =>
    (await bySuggestion(content, { list_separator: answer })).records.get("rnd-acme-2020-01-13-1")!["investor_ids"];
  expect(await investors("split")).toEqual(["inv-blue", "inv-red"]);
  expect(await investors("keep")).toEqual(["inv-blue-red"]);
});

test("titles of projects are no names of companies", async () => {
  const read = await bySuggestion(
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
  const read = await bySuggestion(
    JSON.stringify({ companies: [company("Acme", "2024-01-13"), company("Beta", "2024-02-14")] }),
  );
  expect(meaningsOf(read)).not.toHaveProperty("the lead investors");
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

test("addresses that Notion writes behind names are taken off", async () => {
  const link = (name: string) => `${name} (https://www.notion.example/${name}-1?pvs=21)`;
  const read = await bySuggestion(
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

test("the source of a sales lead is not a lead investor", async () => {
  const read = await bySuggestion(
    "Account Name,Amount,Close Date,Lead Source,Lead Investor\nAcme,$5m,2024-01-13,Referral,Blue\nBeta,$7m,2024-02-14,Web,Red\n",
  );
  expect(meaningsOf(read)).toMatchObject({ "the lead investors": "Lead Investor" });
  const without = await bySuggestion(
    "Account Name,Amount,Close Date,Lead Source\nAcme,$5m,2024-01-13,Referral\nBeta,$7m,2024-02-14,Web\n",
  );
  expect(ofType(without, "investor")).toEqual([]);
});

test("numbered columns of investors are one list", async () => {
  const read = await bySuggestion(
    "Company,Date,Amount,Investor 1,Investor 2,Investor 3\nAcme,2024-01-13,$5m,Blue,Red,\nBeta,2024-02-14,$7m,Green,,n/a\n",
  );
  expect(questionsOf(read)).toEqual([]);
  expect(ofType(read, "round").map(({ investor_ids: ids }) => ids)).toEqual([["inv-blue", "inv-red"], ["inv-green"]]);
  expect(read.suggestion!.columns.filter(({ role }) => role === "investors")).toHaveLength(3);
});

test("investors in any script have a record, where each has a row", async () => {
  const made = await byLines([
    "Company,Date,Amount,Investor",
    "Acme,2021-01-13,$1M,Иван",
    "Acme,2021-01-13,$1M,Blue",
    "Acme,2021-01-13,$1M,--",
    "Acme,2021-01-13,$1M,Undisclosed",
    "Beta,2021-01-15,$2M,Фонд",
  ]);
  expect([made.refused, namesOf(made, "investor")]).toEqual([[], ["Иван", "Blue", "Фонд"]]);
});

test.each([
  ["Firm,Portfolio Company,Date,Amount", "Blue VC,Acme,2021-01-13,$1M"],
  ["Organization,Investee,Date,Amount", "Blue VC,Acme,2021-01-13,$1M"],
  ["Company,Investor Firm,Date,Amount", "Acme,Blue VC,2021-01-13,$1M"],
])("the company is the one that gets the money: %s", async (header, row) => {
  const made = await byLines([header, row, row.replace("Acme", "Beta")]);
  expect([questionsOf(made), namesOf(made, "company")]).toEqual([[], ["Acme", "Beta"]]);
});

test("beside an acquired company, the company is the buyer", async () => {
  const made = await byLines([
    "Company,Acquired Company,Date,Price",
    "Big Corp,Acme,2021-01-13,$1M",
    "Huge Corp,Beta,2021-02-03,$2M",
  ]);
  expect([questionsOf(made), made.suggestion!.kind]).toEqual([[], "acquisitions"]);
  expect(ofType(made, "signal").map(({ company_id: company, key }) => [company, key])).toEqual([
    ["co-acme", "acquired"],
    ["co-big-corp", "acquisition_made"],
    ["co-beta", "acquired"],
    ["co-huge-corp", "acquisition_made"],
  ]);
});

test("beside a portfolio company, the firm is the investor", async () => {
  const made = await byLines(["Firm,Portfolio Company,Date,Amount", "Blue VC,Acme,2021-01-13,$1M"]);
  expect([questionsOf(made), namesOf(made, "investor")]).toEqual([[], ["Blue VC"]]);
});

test.each([
  ["Legal entity", "company"],
  ["Startup/Company", "company"],
  ["Borrower", "company"],
  ["Raised on", "date"],
  ["Announcement", "date"],
  ["Transaction Value", "amount"],
  ["Beløp (kr)", "amount"],
  ["Event type", "deal_type"],
  ["Invested by", "investors"],
  ["VCs", "investors"],
  ["Venture firms", "investors"],
  ["Led by", "lead"],
  ["Sijoittajat", "investors"],
  ["Εταιρεία", "company"],
  ["Компанія", "company"],
  ["Ημερομηνία", "date"],
  ["Summa (USD)", "amount"],
  ["last_funding_at", "date"],
  ["Item.amount.N", "amount"],
  ["Staff cut", "laid_off"],
])("the column '%s' is the %s", async (name, role) => {
  const texts: Record<string, string> = {
    company: "Acme",
    date: "2021-01-13",
    amount: "5000000",
    deal_type: "Seed",
    investors: "Blue",
    lead: "Red",
    laid_off: "12",
  };
  const others = ["company", "date", "amount"].filter((each) => each !== role);
  const made = await byLines([[...others, name].join(), [...others, role].map((each) => texts[each]).join()]);
  expect(made.suggestion!.columns.at(-1)).toMatchObject({ column: name, role });
  expect(questionsOf(made)).toEqual(name === "Beløp (kr)" ? ["rates"] : []);
});

test("contacts and notes of investors name no investor, and their country is not that of the company", async () => {
  const made = await byLines([
    "Company,Date,Amount,Investor contact,Lead investor e-mail,Lead investor country,Investor notes",
    "Acme,2021-01-13,$1M,ann@blue.example,bo@red.example,US,likes us",
  ]);
  expect([questionsOf(made), namesOf(made, "investor")]).toEqual([[], []]);
  expect(ofType(made, "company")).toEqual([{ type: "company", id: "co-acme", name: "Acme" }]);
});
