import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { undocumented } from "./support/documented.ts";
import {
  byKeys,
  centsOf,
  COMPANY_VALUES,
  dollarsText,
  grouped,
  ROUND_VALUES,
  type WantedGroup,
} from "./support/groups.ts";
import { type Chosen, type Wanted, wantedSignals, wantedRounds } from "./support/oracle.ts";
import { sized } from "./support/sized.ts";
import { plansWithoutLimits } from "./support/plans-file.ts";
import { storeWorld } from "./support/store-world.ts";
import { withService } from "./support/with-service.ts";
import { type Company, COUNTRIES, INVESTORS, makeWorld, type Round } from "./support/world.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";

type Key = string | null | (string | null)[];
type Row = Record<string, number | null> & { count: number; total: string };
type Group = Row & { key: Key; id: Key; filters: Record<string, string> | null; share: number };
type Answer = {
  data: Group[];
  total: Row;
  other: (Row & { groups: number }) | null;
  group_by: string[];
  multi_valued: string[];
  approximate: Record<string, number>;
  filters_applied: Record<string, unknown>;
};

/** Amounts that have no exact binary fraction, small and large; all of them together stay below 9 × 10^13 dollars. */
const CENTS = [1, 7, 29, 10, 1_005, 123_456_789_01, 1_999_999_999_99, 600_000_000_000_7, 199_999_999_999_3];
const adversarial = <T>(item: T, n: number, amount: (dollars: number) => T): T =>
  amount((CENTS[n % CENTS.length]! + n) / 100) ?? item;

/** 12,000 rounds: more than are counted one by one, so that small and large groups occur. */
const SIZE = 12_000;
const COMPANIES = sized(4000, SIZE);

describe.each([
  { shards: 1, cache: "on", runs: sized(30, 150) },
  { shards: 3, cache: "off", runs: sized(25, 100) },
])("statistics on $shards shards, caches $cache,", ({ shards, cache, runs }) => {
  const made = makeWorld(SIZE, 20_131_031 + shards);
  const world = {
    rounds: made.rounds.map((round, n): Round =>
      round.amount === null ? round : adversarial(round, n, (amount) => ({ ...round, amount })),
    ),
    companies: made.companies
      .slice(0, COMPANIES)
      .map((company, n): Company =>
        company.totalRaised === null
          ? company
          : adversarial(company, n, (totalRaised) => ({ ...company, totalRaised })),
      ),
  };
  const { engines, service } = withService({
    env: { TRANCHE_PLANS_FILE: plansWithoutLimits(), TRANCHE_CACHE: cache, TRANCHE_SHARDS: String(shards) },
  });
  let key: string;
  beforeAll(async () => {
    await storeWorld(engines, service.namespace, world, { shards });
    await service.startApi();
    key = await service.key();
  }, 240_000);

  const get = async (path: string): Promise<string> => {
    const response = await fetchUnlessBusy(`${service.base}/${path}`, { headers: { authorization: `Bearer ${key}` } });
    const text = await response.text();
    expect(response.status, `${path}: ${text}`).toBe(200);
    expect(undocumented(`/api/v1/${path.split("?")[0]!}`, response, text)).toEqual([]);
    return text;
  };
  const stats = async (path: string): Promise<Answer> => {
    const text = await get(path);
    if (cache === "on") expect(await get(path)).toBe(text);
    // Sums are compared as text: as numbers, some have other cents.
    return JSON.parse(text.replace(/"(total_amount_usd|total_raised_usd)":([^,}]*)/g, '$&,"total":"$2"')) as Answer;
  };

  /** What the statistics of a list give is what plain loops over everything give. */
  async function holds<T extends Round | Company>(
    list: "funding" | "signals",
    asked: Asked,
    rows: readonly T[],
    values: Readonly<Record<string, (row: T) => readonly (string | null)[]>>,
    same: (row: Row, rows: readonly T[], approximate: Record<string, number>) => void,
    amountOf: (row: T) => number | null,
  ) {
    const { query, by, limit, sort } = asked;
    const given = [
      query,
      by.length > 0 && `group_by=${by.join(",")}`,
      sort && `sort=${sort}`,
      limit && `limit=${limit}`,
    ];
    const answer = await stats(`${list}/stats?${given.filter(Boolean).join("&")}`);
    same(answer.total, rows, answer.approximate);
    expect(answer.group_by).toEqual(by);
    if (by.length === 0) {
      expect([answer.data, answer.other]).toEqual([[], null]);
      return;
    }

    const overTime = by.length === 1 && ["year", "quarter", "month"].includes(by[0]!);
    const sums = (group: WantedGroup<T>) => {
      const amounts = group.rows.map(amountOf).filter((amount) => amount !== null);
      return amounts.length === 0 ? -1n : amounts.reduce((sum, amount) => sum + centsOf(amount), 0n);
    };
    const compare = byKeys(by);
    const order = sort ?? (overTime ? "key_asc" : "count_desc");
    const groups = grouped(rows, values, by).toSorted((a, b) => {
      const first =
        order === "count_desc" ? b.rows.length - a.rows.length : order === "key_asc" ? 0 : Number(sums(b) - sums(a));
      return first || compare(a.key, b.key);
    });
    const shown = groups.slice(0, limit ?? 100);
    const left = groups.slice(limit ?? 100);

    const found = answer.data.filter(({ count }) => count > 0);
    const keyOf = (group: Group) => (by.length === 1 ? [group.key] : group.key);
    expect(found.map(keyOf)).toEqual(shown.map((group) => group.key));
    for (const [n, group] of found.entries()) {
      same(group, shown[n]!.rows, answer.approximate);
      expect(group.share).toBe(group.count / rows.length);
    }
    if (!overTime) expect(answer.data.length).toBe(found.length);
    if (left.length === 0) expect(answer.other).toBeNull();
    else {
      const sum = left.map(sums).filter((cents) => cents >= 0n);
      expect(answer.other).toMatchObject({
        groups: left.length,
        count: left.reduce((count, group) => count + group.rows.length, 0),
        total: sumText(sum, answer.other!.total),
      });
    }
    for (const group of answer.data.slice(0, 2)) {
      if (!group.filters) continue;
      const replaced = new URLSearchParams(query);
      for (const [name, value] of Object.entries(group.filters)) replaced.set(name, value);
      const page = JSON.parse(await get(`${list}?${String(replaced)}&limit=1`)) as { pagination: { count: number } };
      expect([group.filters, page.pagination.count]).toEqual([group.filters, group.count]);
    }
  }

  const sameRound = (row: Row, rows: readonly Round[], approximate: Record<string, number>) => {
    const amounts = rows.map((round) => round.amount).filter((amount) => amount !== null);
    const sorted = amounts.toSorted((a, b) => a - b);
    const cents = amounts.map(centsOf);
    const middle = sorted.length / 2;
    const none = amounts.length === 0;
    expect(row).toMatchObject({
      count: rows.length,
      disclosed: amounts.length,
      total: sumText(cents, row.total),
      max_amount_usd: none ? null : sorted.at(-1),
    });
    const median = none ? null : (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
    if (median === null) expect([row["median_amount_usd"], row["average_amount_usd"]]).toEqual([null, null]);
    else {
      expect(row["median_amount_usd"]).toBeCloseTo(median, 3);
      expect(row["average_amount_usd"]).toBeCloseTo(Number(sumOf(cents)) / 100 / amounts.length, 1);
    }
    const companies = new Set(rows.map((round) => round.company.id)).size;
    const error = approximate["companies"];
    if (error === undefined || rows.length <= 1) expect(row["companies"]).toBe(companies);
    else expect(Math.abs(row["companies"]! - companies)).toBeLessThanOrEqual(3 * error * companies + 1);
  };
  const sameCompany = (row: Row, rows: readonly Company[]) => {
    const raised = rows.map((company) => company.totalRaised).filter((amount) => amount !== null);
    expect(row).toMatchObject({
      count: rows.length,
      total: sumText(raised.map(centsOf), row.total),
    });
    if (rows.length === 0) expect(row["average_score"]).toBeNull();
    else expect(row["average_score"]).toBeCloseTo(rows.reduce((sum, { score }) => sum + score, 0) / rows.length, 1);
  };

  test("of rounds are those of plain loops", async () => {
    const rounds = new Map(world.rounds.map((round) => [round.id, round]));
    await fc.assert(
      fc.asyncProperty(roundsAsked, (asked) => {
        const rows = wantedRounds(world.rounds, asked.wanted).map((id) => rounds.get(id)!);
        return holds("funding", asked, rows, ROUND_VALUES, sameRound, (round) => round.amount);
      }),
      { numRuns: runs, seed: 1 },
    );
  }, 300_000);

  test("of companies are those of plain loops", async () => {
    const companies = new Map(world.companies.map((company) => [company.id, company]));
    await fc.assert(
      fc.asyncProperty(companiesAsked, (asked) => {
        const rows = wantedSignals(world.companies, asked.wanted).map((id) => companies.get(id)!);
        return holds("signals", asked, rows, COMPANY_VALUES, sameCompany, (company) => company.totalRaised);
      }),
      { numRuns: runs, seed: 2 },
    );
  }, 300_000);

  test("of all rounds have exact sums beyond 7 × 10^13 dollars", async () => {
    const { total } = await stats("funding/stats");
    sameRound(total, world.rounds, { companies: 0.01 });
    expect(Number(total.total)).toBeGreaterThan(7e13);
    expect(Number(total.total)).toBeLessThan(9e13);
  });

  test("cost the same whatever the number of groups, from the cache, too", async () => {
    expect(grouped(world.rounds, ROUND_VALUES, ["investor", "company"]).length).toBeGreaterThan(10_000);
    const left = async (path: string) => {
      const response = await fetchUnlessBusy(`${service.base}/${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(response.status, await response.text()).toBe(200);
      return Number(/"month";r=(\d+)/.exec(response.headers.get("ratelimit")!)![1]);
    };
    const before = await left("usage");
    for (const times of [1, 2, 3]) {
      expect(await left("funding/stats?group_by=investor,company&limit=1")).toBe(before - times);
    }
    expect(await left("funding/stats?group_by=investor")).toBe(before - 4);
    const authorization = `Bearer ${key}`;
    const same = await fetchUnlessBusy(`${service.base}/funding/stats?group_by=investor`, {
      headers: { authorization },
    });
    const headers = { authorization, "if-none-match": same.headers.get("etag")! };
    expect((await fetchUnlessBusy(`${service.base}/funding/stats?group_by=investor`, { headers })).status).toBe(304);
    // Where nothing is cached, it had to be computed.
    expect(await left("usage")).toBe(before - (cache === "off" ? 6 : 5));
  });

  test("of a time without rounds have groups of zero rounds in between", async () => {
    const { data } = await stats("funding/stats?group_by=month&country=BR&min_amount_usd=100000000");
    const months = data.map((group) => group.key as string);
    const count = (month: string) => 12 * Number(month.slice(0, 4)) + Number(month.slice(5));
    expect(months.length).toBe(count(months.at(-1)!) - count(months[0]!) + 1);
    expect(data.find((group) => group.count === 0)).toMatchObject({
      companies: 0,
      disclosed: 0,
      total: "null",
      max_amount_usd: null,
    });
  });
});

const sumOf = (cents: readonly bigint[]): bigint => cents.reduce((sum, amount) => sum + amount, 0n);

/** The text of a sum. Sums above 9 × 10^13 dollars need not be exact: one that is about right is taken as it is. */
function sumText(cents: readonly bigint[], given: string): string {
  const sum = sumOf(cents);
  if (sum > 9_000_000_000_000_000n && Math.abs(Number(given) * 100 - Number(sum)) < Number(sum) * 1e-13) return given;
  return cents.length === 0 ? "null" : dollarsText(sum);
}

/** A request and what it means. */
type Asked = { query: string; wanted: Wanted; by: string[]; sort: string | undefined; limit: number | undefined };

/** One of `freq` is undefined: half of them. */
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const sorts = optional(fc.constantFrom("count_desc", "total_amount_desc", "key_asc"));
const limits = fc.constantFrom(undefined, undefined, 1, 7, 1000);
const dimensions = (values: object) => fc.uniqueArray(fc.constantFrom(...Object.keys(values)), { maxLength: 2 });

const roundsAsked: fc.Arbitrary<Asked> = fc
  .record({
    country: optional(fc.constantFrom(...COUNTRIES)),
    investor: optional(fc.constantFrom(...INVESTORS.slice(0, 4))),
    from: optional(fc.constantFrom("1990-01-01", "2010-02-03", "2013-10-01")),
    least: optional(fc.constantFrom(0, 10.05, 1_000_000)),
    by: dimensions(ROUND_VALUES),
    sort: sorts,
    limit: limits,
  })
  .map(({ country, investor, from, least, ...rest }) => ({
    ...rest,
    query: written({ country, investors: investor?.key, from, min_amount_usd: least }),
    wanted: {
      ...(country && { country: only(country) }),
      ...(investor && { investors: only(investor) }),
      ...(from && { from }),
      ...(least !== undefined && { least }),
    },
  }));

const companiesAsked: fc.Arbitrary<Asked> = fc
  .record({
    country: optional(fc.constantFrom(...COUNTRIES)),
    leastScore: optional(fc.constantFrom(20, 49.5, 90)),
    by: dimensions(COMPANY_VALUES),
    sort: sorts,
    limit: limits,
  })
  .map(({ country, leastScore, ...rest }) => ({
    ...rest,
    query: written({ country, min_signal_score: leastScore }),
    wanted: { ...(country && { country: only(country) }), ...(leastScore !== undefined && { leastScore }) },
  }));

const only = <T>(item: T): Chosen<T> => ({ any: [item], none: [] });

const written = (parameters: Record<string, string | number | undefined>): string =>
  Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join("&");
