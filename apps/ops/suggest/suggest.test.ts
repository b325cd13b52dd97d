import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { dealTypes } from "@tranche/shared/vocabulary/deal-types";
import iconv from "iconv-lite";
import { afterAll, describe, expect, test } from "vitest";
import { parseMapping } from "../mapping/mapping.ts";
import { csvReader } from "../sources/csv.ts";
import { openInput } from "../sources/input.ts";
import { readSample } from "./sample.ts";
import { suggestMapping } from "./suggest.ts";

const project = join(import.meta.dirname, "../../..");
const real = process.env["TRANCHE_REAL_DATA"] ?? join(project, "../shared/data");
const folder = mkdtempSync(join(tmpdir(), "suggest-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Of a long file only this number of rows is read. */
const MAX_ROWS = 4000;

/** The suggestion for a file, and what reading the file by it gives. */
async function suggested(path: string) {
  const stdin = Readable.from([]);
  const suggestion = suggestMapping(await readSample(path, stdin), dealTypes());
  if (!suggestion) return { suggestion, records: new Map<string, object>(), refused: [] };
  const reader = csvReader(parseMapping(suggestion.mapping), { dealTypes: dealTypes(), today: "2026-01-01" });
  const records = new Map<string, object>();
  const refused: string[] = [];
  let read = 0;
  for await (const item of reader.read((await openInput(path, stdin)).bytes)) {
    if (item.ok)
      for (const value of [...item.values, ...(item.filled ?? [])] as { id: string }[]) records.set(value.id, value);
    else refused.push(item.problems[0]!.reason);
    if (++read === MAX_ROWS) break;
  }
  return { suggestion, records, refused };
}

const made = (content: string | Buffer) => {
  const path = join(folder, "made.csv");
  writeFileSync(path, content);
  return suggested(path);
};

test("a list of rounds: company, date, amount, type, investors, country and city are recognised", async () => {
  const { suggestion, records, refused } = await made(
    [
      "Company,Country,City,Round,Announced,Amount raised,Investors,Comment",
      'Acme,Germany,Berlin,Series A,13/02/2020,"$2,500,000","Blue Fund, Red & Co",x',
      "Beta,France,Paris,Seed,01/03/2020,$500k,Green,",
      "Gamma,France,,Seed,02/03/2020,undisclosed,,",
    ].join("\n"),
  );
  expect(refused).toEqual([]);
  expect(suggestion!.recognised).toEqual({
    company: "Company",
    country: "Country",
    city: "City",
    deal_type: "Round",
    date: "Announced",
    amount: "Amount raised",
    investors: "Investors",
  });
  expect(suggestion!.unused).toEqual(["Comment"]);
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

test("months before days are seen where a day is above 12, or in the name of the column", async () => {
  const dates = async (header: string, ...rows: string[]) => {
    const { suggestion } = await made([`Company,Amount,${header}`, ...rows.map((date) => `Acme,5,${date}`)].join("\n"));
    return (suggestion!.mapping as { values: { date: { formats: string[] } } }).values.date.formats;
  };
  expect(await dates("Date", "01/02/2020", "03/25/2020")).toEqual(["MM/dd/yyyy"]);
  expect(await dates("Date mm/dd/yyyy", "01/02/2020")).toEqual(["MM/dd/yyyy"]);
  expect(await dates("Date", "01/02/2020")).toEqual(["dd/MM/yyyy"]);
});

describe.each([
  ["crunchbase-2013-rounds.csv.gz", 1],
  ["india-2020-rounds.csv", 0.99],
])("%s", (file, share) => {
  const path = join(real, file);
  if (!existsSync(path)) console.log(`not suggested for: there is no ${path} (TRANCHE_REAL_DATA says where it is)`);

  test.skipIf(!existsSync(path))("gives records by its suggestion as it stands", { timeout: 120_000 }, async () => {
    const { suggestion, records, refused } = await suggested(path);
    const rounds = [...records.keys()].filter((id) => id.startsWith("rnd-")).length;
    expect(Object.keys(suggestion!.recognised)).toEqual(
      expect.arrayContaining(["company", "date", "amount", "deal_type", "city", "category"]),
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
  expect(records.get("co-acme")).toMatchObject({ name: "Acme", country: "Germany" });
});
