import { SIGNAL_KEYS } from "@tranche/shared/domain/signals/catalogue";
import { DEAL_TYPES } from "@tranche/shared/domain/vocabulary/deal-types";
import { beforeAll, expect, test } from "vitest";
import { sampleFiles, SHOWCASE_FILE } from "../../../infra/start/sample.ts";
import { documentedRequests } from "../../support/documented.ts";
import { containing, examplesOf, PAGES } from "../../support/page-examples.ts";
import type { Fixture } from "../../support/with-service.ts";

/** Facts of the sample, counted from the raw files by another program, without the round that `data/README.md` names as a hoax. */
const ROUNDS_PER_DEAL_TYPE = {
  series_unknown: 7941,
  angel: 6644,
  series_a: 6522,
  series_b: 3460,
  series_c_plus: 3361,
  other: 2921,
  private_equity: 757,
  post_ipo_equity: 42,
  equity_crowdfunding: 30,
};
const ROUNDS_BY_YEAR = {
  1960: 6,
  1973: 1,
  1984: 2,
  1995: 6,
  1999: 55,
  2000: 86,
  2001: 72,
  2002: 79,
  2003: 104,
  2004: 208,
  2005: 1090,
  2006: 1576,
  2007: 2194,
  2008: 2371,
  2009: 2676,
  2010: 3640,
  2011: 4981,
  2012: 6978,
  2013: 5520,
};
const LARGEST = {
  "2012-01-01..2012-12-31": [
    ["verizon", 3_835_050_000],
    ["xerox", 1_100_000_000],
    ["wave-broadband", 1_050_000_000],
    ["comcast", 550_000_000],
    ["greatpoint-energy", 420_000_000],
    ["fisker", 392_000_000],
  ],
  "2011-06-01..2011-06-30": [
    ["coupons-com", 200_000_000],
    ["wayfair", 165_000_000],
    ["alta-wind-energy-center", 102_000_000],
    ["tesaro", 101_000_000],
    ["square", 100_000_000],
    ["birch-communications", 77_500_000],
    ["halozyme-therapeutics", 63_000_000],
  ],
  "2000-01-01..2004-12-31": [
    ["opsware", 120_000_000],
    ["eharmony", 110_000_000],
    ["paypal", 100_000_000],
    ["paypal", 90_000_000],
    ["bluearc", 72_000_000],
    ["drugstore-com", 63_000_000],
    ["sylantro", 55_000_000],
    ["cornice", 51_000_000],
  ],
};
const ROUNDS_OF_INVESTOR = {
  "New Enterprise Associates": 442,
  "SV Angel": 404,
  "Kleiner Perkins Caufield & Byers": 383,
  "Draper Fisher Jurvetson (DFJ)": 354,
  "sequoia-capital": 362,
  "Y COMBINATOR": 229,
};

type Page = {
  data: { amount_usd: number; company: { slug: string } }[];
  pagination: { count: number };
};

/** Loads the real records and asks for facts of them; then loads the showcase, and asks for what the docs show. */
export function testRecords({ service }: Fixture): void {
  let key: string;
  const funding = async (query: Record<string, string | number>): Promise<Page> => {
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const response = await fetch(`${service.base}/funding?${parameters.toString()}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Page;
  };
  const count = async (query: Record<string, string | number>): Promise<number> =>
    (await funding({ ...query, limit: 1 })).pagination.count;

  const ingested = async (files: string[], records: number): Promise<void> => {
    const ingest = await service.ops(["ingest", ...files, "--wait", "--json"]);
    expect(ingest.code, ingest.stderr + ingest.stdout).toBe(0);
    expect(JSON.parse(ingest.stdout)).toMatchObject({ rows: { read: records }, refused: 0, searchable: true });
  };

  beforeAll(async () => {
    await ingested(sampleFiles("real"), 63_877);
    key = await service.key();
  }, 400_000);

  test("has every round", async () => {
    expect(await count({})).toBe(31_678);
    expect(await count({ country: "United States" })).toBe(31_678);
    expect(await count({ min_amount_usd: 0 })).toBe(29_099);
  });

  test.each(Object.entries(ROUNDS_PER_DEAL_TYPE))("has the rounds of type %s", async (type, rounds) => {
    expect(await count({ deal_types: type })).toBe(rounds);
  });

  test("has the rounds of each year", async () => {
    for (const [year, rounds] of Object.entries(ROUNDS_BY_YEAR)) {
      expect([year, await count({ from: `${year}-01-01`, to: `${year}-12-31` })]).toEqual([year, rounds]);
    }
  });

  test.each(Object.entries(LARGEST))("has the largest rounds of %s, the largest first", async (range, largest) => {
    const [from, to] = range.split("..") as [string, string];
    const page = await funding({ from, to, sort: "amount_desc", limit: largest.length });
    expect(page.data.map((round) => [round.company.slug, round.amount_usd])).toEqual(largest);
  });

  test.each(Object.entries(ROUNDS_OF_INVESTOR))("has the rounds of %s", async (investor, rounds) => {
    expect(await count({ investors: investor })).toBe(rounds);
  });

  test("finds rounds by several filters at once", async () => {
    expect(
      await count({ deal_types: "series_a", from: "2012-01-01", to: "2012-12-31", min_amount_usd: 10_000_000 }),
    ).toBe(134);
    expect(await count({ deal_types: "angel", from: "2012-01-01", to: "2012-12-31", min_amount_usd: 10_000_000 })).toBe(
      0,
    );
  });

  // Facts of real records are asked before this, examples after it.
  test("takes the showcase in", () => ingested([SHOWCASE_FILE], 1515), 120_000);

  test("every signal of the catalogue is live, and every deal type is the latest round's of some company", async () => {
    const without = async (parameter: string, values: readonly string[]): Promise<string[]> => {
      const empty: string[] = [];
      for (const value of values) {
        const response = await fetch(`${service.base}/signals?${parameter}=${value}&limit=1`, {
          headers: { authorization: `Bearer ${key}` },
        });
        if (((await response.json()) as Page).pagination.count === 0) empty.push(value);
      }
      return empty;
    };
    expect(await without("signal", SIGNAL_KEYS)).toEqual([]);
    expect(await without("deal_type", DEAL_TYPES)).toEqual([]);
  });

  const examples = PAGES.flatMap((page) => examplesOf(page).map(([path, answer]) => ({ page, path, answer })));
  test.each(examples)("answers GET $path as $page says", async ({ path, answer }) => {
    const response = await fetch(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
    if (answer === undefined) expect((await rowsOf(response)).rows).not.toBe(0);
    else expect(await response.json()).toEqual(containing(answer));
  });

  test("answers every example of the OpenAPI document, with rows", async () => {
    const requests = documentedRequests();
    expect(requests.length).toBeGreaterThan(30);
    for (const path of requests) {
      // There are many exports with nearly all rows: their headers say how many.
      const method = path.includes("/export") ? "HEAD" : "GET";
      const url = new URL(`${service.base}${path}`);
      // Nothing changes after the load: from now on, a feed is empty.
      if (path.includes("/changes")) url.searchParams.set("since", "start");
      const response = await fetch(url, { method, headers: { authorization: `Bearer ${key}` } });
      const { rows, warnings } = await rowsOf(response);
      expect([path, response.status, warnings]).toEqual([path, 200, undefined]);
      expect(rows, path).not.toBe(0);
    }
  });

  test("every document is what a fresh derivation makes of its records", async () => {
    const verified = await service.ops(["verify", "--json"]);
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.stdout)).toMatchObject({ compared: 62_526, differing: 0 });
  });
}

/** How many rows an answer has, in whatever format, and its warnings. Statistics without groups have those that they count. */
async function rowsOf(response: Response): Promise<{ rows: number; warnings?: unknown }> {
  const text = await response.text();
  // Tables have their number of rows in a header.
  const count = response.headers.get("x-total-count");
  if (count !== null) return { rows: Number(count), warnings: response.headers.get("x-warnings") ?? undefined };
  type Body = { data: unknown[] | object; total?: { count: number }; warnings?: unknown };
  const { data, total, warnings } = JSON.parse(text) as Body;
  return { rows: (Array.isArray(data) ? data.length : 1) || (total?.count ?? 0), warnings };
}
