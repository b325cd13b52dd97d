import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { describe, expect, test } from "vitest";
import { csvReader } from "../sources/csv.ts";
import { openInput } from "../sources/input.ts";
import { readSource } from "../sources/source.ts";
import { readMapping } from "../sources/mapping-file.ts";
import { parseMapping } from "./mapping.ts";

/** Real exports that the mappings in docs/examples are for, with facts counted from them by another program. */
const project = join(import.meta.dirname, "../../..");
const folder = process.env["TRANCHE_REAL_DATA"] ?? join(project, "../shared/data");
const isThere = existsSync(join(folder, "expected.json"));
if (!isThere) console.log(`not checked against real files: ${folder} has none (TRANCHE_REAL_DATA says where they are)`);

type Round = {
  id: string;
  company_id: string;
  announced_date: string;
  deal_type: string;
  amount_usd: number | null;
  investor_ids?: string[];
};
type Facts = Record<string, unknown> & { top20_investors_by_rounds: { slug: string; rounds: number }[] };

async function readFile(file: string, mapping: string) {
  const input = await openInput(join(folder, file), process.stdin);
  const csv = csvReader(readMapping(join(project, "docs/examples", mapping)), {
    dealTypes: dealTypes(),
    today: "2026-01-01",
  });
  const countries = new Map<string, string | null>();
  const rounds: Round[] = [];
  const refused: unknown[] = [];
  for await (const item of readSource(input, "csv", csv)) {
    if (!item.ok) refused.push(item);
    else
      for (const value of item.values as ({ type: string; id: string; country: string | null } & Round)[]) {
        if (value.type === "company") countries.set(value.id, value.country);
        if (value.type === "round") rounds.push(value);
      }
  }
  return { countries, rounds, refused };
}

function factsOf({ countries, rounds }: { countries: Map<string, string | null>; rounds: Round[] }) {
  const dates = rounds.map((round) => round.announced_date).toSorted();
  return {
    total_rounds: rounds.length,
    distinct_companies_by_slug: countries.size,
    rounds_with_amount: rounds.filter((round) => round.amount_usd !== null).length,
    rounds_without_amount: rounds.filter((round) => round.amount_usd === null).length,
    rounds_without_date: rounds.filter((round) => !round.announced_date).length,
    min_date: dates[0],
    max_date: dates.at(-1),
    sum_amount_usd: sum(rounds),
    rounds_per_deal_type: Object.fromEntries(
      groups(rounds, (round) => round.deal_type).map(([name, all]) => [name, all.length]),
    ),
    sum_amount_usd_by_deal_type: Object.fromEntries(
      groups(rounds, (round) => round.deal_type).map(([name, all]) => [name, sum(all)]),
    ),
    rounds_by_year: Object.fromEntries(
      groups(rounds, (round) => round.announced_date.slice(0, 4)).map(([name, all]) => [name, all.length]),
    ),
    sum_amount_usd_by_year: Object.fromEntries(
      groups(rounds, (round) => round.announced_date.slice(0, 4)).map(([name, all]) => [name, sum(all)]),
    ),
  };
}

function countryAndInvestorFactsOf({ countries, rounds }: { countries: Map<string, string | null>; rounds: Round[] }) {
  const links = rounds.flatMap((round) => round.investor_ids ?? []);
  return {
    rounds_per_country: Object.fromEntries(
      groups(rounds, (round) => countries.get(round.company_id) ?? "unknown").map(([name, all]) => [name, all.length]),
    ),
    distinct_investors_by_slug: new Set(links).size,
    round_investor_links: links.length,
    rounds_with_investors: rounds.filter((round) => (round.investor_ids ?? []).length > 0).length,
  };
}

const sum = (rounds: Round[]) => rounds.reduce((total, round) => total + (round.amount_usd ?? 0), 0);
const groups = (rounds: Round[], by: (round: Round) => string) => [...Map.groupBy(rounds, by)];

test("of a table with one row per investor, made of the sample, every link arrives", { timeout: 120_000 }, async () => {
  const rounds = new Map<string, Set<string>>();
  const columns =
    "company_permalink,company_name,company_category_code,company_country_code,company_region,company_city," +
    "investor_permalink,investor_name,investor_country_code,funding_round_type,funded_at,raised_amount_usd,round_id";
  const rows = [columns];
  const sample = gunzipSync(readFileSync(join(project, "data/crunchbase-2013.ndjson.gz"))).toString();
  for (const line of sample.split("\n").filter((text) => text.includes('"round"'))) {
    const round = JSON.parse(line) as Round;
    for (const investor of round.investor_ids ?? []) {
      const amount = round.amount_usd ?? "";
      const permalink = `/financial-organization/${investor.slice(4)}`;
      rows.push(
        `/company/${round.company_id.slice(3)},x,,,,,${permalink},y,,${round.deal_type},${round.announced_date},${amount},${round.id}`,
      );
      rounds.set(round.id, (rounds.get(round.id) ?? new Set()).add(investor));
    }
  }
  const mapping = JSON.parse(
    readFileSync(join(project, "docs/examples/crunchbase-2013-investments.map.json"), "utf8"),
  ) as {
    values: object;
    records: { type: string; fields: object }[];
  };
  // Some rounds of the sample are equal in everything else.
  const withIds = {
    ...mapping,
    values: { ...mapping.values, round_id: { column: "round_id" } },
    records: mapping.records
      .filter(({ type }) => type === "round")
      .map((rule) => ({ ...rule, fields: { ...rule.fields, id: "{round_id}" } })),
  };
  const bytes = (async function* () {
    yield Buffer.from(rows.join("\n"));
  })();
  const found = new Map<string, Set<string>>();
  for await (const item of csvReader(parseMapping(withIds), { dealTypes: dealTypes(), today: "2026-01-01" }).read(
    bytes,
  )) {
    if (!item.ok) throw new Error(`${JSON.stringify(item.location)} ${item.problems[0]!.reason}`);
    for (const value of [...item.values, ...(item.filled ?? [])] as (Round & { type: string })[])
      if (value.type === "round") found.set(value.id, new Set(value.investor_ids));
  }
  expect(rows.length - 1).toBe(51_475);
  expect([...found.values()].reduce((total, { size }) => total + size, 0)).toBe(51_475);
  expect(found).toEqual(rounds);
});

describe.skipIf(!isThere)("real files", { timeout: 120_000 }, () => {
  const expected = isThere
    ? (JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Record<"crunchbase2013" | "india", Facts>)
    : undefined;

  test("CrunchBase 2013 is read as it is: MacRoman, lines ended by CR, gzip", async () => {
    const found = await readFile("crunchbase-2013-rounds.csv.gz", "crunchbase-2013-rounds.map.json");
    expect(found.refused).toEqual([]);
    expect(expected!.crunchbase2013).toMatchObject(factsOf(found));
    expect(new Set(found.rounds.map((round) => round.id)).size).toBe(found.rounds.length);
  });

  test("India 2020 is read as it is: lakhs, mistyped dates, bytes written as signs", async () => {
    const found = await readFile("india-2020-rounds.csv", "india-2020-rounds.map.json");
    expect(found.refused).toEqual([]);
    expect(expected!.india).toMatchObject({ ...factsOf(found), ...countryAndInvestorFactsOf(found) });
    for (const { slug, rounds } of expected!.india.top20_investors_by_rounds) {
      expect([slug, found.rounds.filter((round) => round.investor_ids?.includes(`inv-${slug}`)).length]).toEqual([
        slug,
        rounds,
      ]);
    }
  });
});
