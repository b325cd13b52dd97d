import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { csvReader } from "../sources/csv.ts";
import { fieldsReader } from "./fields.ts";
import { readMapping } from "../sources/mapping-file.ts";
import { parseMapping } from "./mapping.ts";
import { type Values, valueReader } from "./value.ts";

/** The examples of docs/mappings.md, and the mappings in docs/examples on small files. */
const docs = join(import.meta.dirname, "../../../docs");

/** The JSON in the cells of a table's lines, by the heading of its first column. */
function tableOf(heading: string): [string, ...unknown[]][] {
  const lines = readFileSync(join(docs, "mappings.md"), "utf8").split("\n");
  const begin = lines.findIndex((line) => line.startsWith(`| ${heading} `)) + 2;
  const rows = lines.slice(begin, lines.indexOf("", begin));
  return rows.map((row) => {
    const [name, ...cells] = row
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim());
    return [name!, ...cells.map((cell) => JSON.parse(cell.slice(1, -1)) as unknown)];
  });
}

const company = { type: "company", fields: { id: "a", name: "b" } };

test.each(tableOf("to read"))("%s is read as documented", (_, value, row, gives) => {
  const read = valueReader(parseMapping({ values: { v: value }, records: [company] }));
  expect(read(row as Record<string, string>)).toMatchObject({ values: { v: gives }, problems: [] });
});

test.each(tableOf("to say"))("%s are said as documented", (_, field, values, gives) => {
  const [name] = Object.keys(field as object);
  const asked = Object.fromEntries(
    Object.entries(values as Values).map(([key, value]) => [
      key,
      { column: key, as: Array.isArray(value) ? "list" : "text" },
    ]),
  );
  const round = { id: "r", company_id: "c", announced_date: "2020-01-01", amount_usd: null };
  const record = name === "aliases" ? company : { type: "round", fields: round };
  const mapping = parseMapping({
    values: asked,
    records: [{ ...record, fields: { ...record.fields, ...(field as object) } }],
  });
  expect(fieldsReader(mapping.records[0]!)(values as Values, () => 1)[name!]).toEqual(gives);
});

test("both tables have examples", () => {
  expect([tableOf("to read").length, tableOf("to say").length]).toEqual([20, 4]);
});

/** Every record that the example's mapping makes of the text, the last one of each id, and the reasons of refused rows. */
async function records(example: string, text: string) {
  const mapping = readMapping(join(docs, "examples", `${example}.map.json`));
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const found = new Map<string, object>();
  const refused: string[] = [];
  for await (const item of csvReader(mapping, { dealTypes: dealTypes(), today: "2026-01-01" }).read(bytes)) {
    if (item.ok) {
      for (const value of [...item.values, ...(item.filled ?? [])] as { id: string }[]) found.set(value.id, value);
    } else refused.push(...item.problems.map(({ field, reason }) => `${field}: ${reason}`));
  }
  return { found: Object.fromEntries(found), refused };
}

test("one row per investor: the rows of a round are one, with all their investors", async () => {
  const columns =
    "company_permalink,company_name,company_category_code,company_country_code,company_region,company_city," +
    "investor_permalink,investor_name,investor_country_code,funding_round_type,funded_at,raised_amount_usd";
  const { found, refused } = await records(
    "crunchbase-2013-investments",
    [
      columns,
      "/company/acme,Acme,software,USA,SF Bay,,/financial-organization/blue,Blue Fund,USA,series-a,2012-06-30,1750000",
      "/company/acme,Acme,software,USA,SF Bay,,/person/ann-lee,Ann Lee,,series-a,2012-06-30,1750000",
      "/company/acme,Acme,software,USA,SF Bay,,/financial-organization/blue,Blue Fund,USA,series-b,2013-06-30,",
      "/company/acme,Acme,software,USA,SF Bay,,,,,angel,,",
    ].join("\n"),
  );
  expect(found["co-acme"]).toMatchObject({ city: "SF Bay", category: "software" });
  expect(found["rnd-cb-acme-2012-06-30-series_a-1750000"]).toMatchObject({
    amount_usd: 1_750_000,
    investor_ids: ["inv-blue", "inv-ann-lee"],
  });
  expect(found["rnd-cb-acme-2013-06-30-series_b-undisclosed"]).toMatchObject({
    amount_usd: null,
    investor_ids: ["inv-blue"],
  });
  expect(refused).toEqual(["round.id: column 'funded_at' is empty"]);
});

test("lead and other investors in two columns: all are investors of the round, the leads marked", async () => {
  const { found, refused } = await records(
    "lead-and-other-investors",
    [
      "Organization Name,Transaction Name URL,Announced Date,Funding Type,Money Raised (in USD),Lead Investors,Investor Names",
      'Acme,https://example.com/funding_round/acme-series-a,2020-03-04,Series A,"12,000,000",Blue Fund,"Red & Co, Blue Fund"',
      'Beta,https://example.com/funding_round/beta-seed,"Mar 5, 2020",Seed,—,"Green, Ann Lee",',
    ].join("\n"),
  );
  expect(refused).toEqual([]);
  expect(found["rnd-acme-series-a"]).toMatchObject({
    investors: [{ investor_id: "inv-blue-fund", is_lead: true }, { investor_id: "inv-red-co" }],
  });
  expect(found["rnd-beta-seed"]).toMatchObject({
    announced_date: "2020-03-05",
    amount_usd: null,
    investors: [
      { investor_id: "inv-green", is_lead: true },
      { investor_id: "inv-ann-lee", is_lead: true },
    ],
  });
  expect(Object.keys(found).filter((id) => id.startsWith("inv-"))).toHaveLength(4);
});

test("amounts in several currencies are converted by the year, and one without a rate is refused", async () => {
  const { found, refused } = await records(
    "several-currencies",
    [
      "Company;HQ country;Date;Round;Amount;Currency;Investors",
      "Acme;Germany;05.03.2019;Series A;2,5 Mio;EUR;Blue",
      "Acme;Germany;04.2022;Series B;10 Mio;EUR;Blue, Red",
      "Beta;United Kingdom;01.02.2021;Seed;750k;£;",
      "Gamma;UAE;01.02.2021;Seed;1.000.000;AED;",
      "Delta;United States;01.02.2021;Seed;$3m;USD;",
      "Eps;India;01.02.2021;Seed;undisclosed;INR;",
      "Zeta;Japan;01.02.2021;Seed;100 Mio;JPY;",
      "Eta;Germany;01.02.2011;Seed;1 Mio;EUR;",
    ].join("\n"),
  );
  const amounts = Object.values(found as Record<string, { type: string; amount_usd: number }>)
    .filter(({ type }) => type === "round")
    .map(({ amount_usd }) => amount_usd);
  expect(amounts).toEqual([2_800_000, 10_500_000, 1_035_000, 272_300, 3_000_000, null]);
  expect(refused).toEqual([
    `Amount: '100 Mio' is in JPY, expected US dollars: give a rate for JPY under "currency"`,
    "Amount: '1 Mio' is in EUR, which has no rate for 2011, only for 2019 to 2024",
  ]);
});
