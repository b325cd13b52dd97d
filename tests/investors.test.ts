import type { FundingDocument, FundingRow } from "@tranche/read-models/documents/funding";
import type { InvestorDocument, InvestorRow } from "@tranche/read-models/documents/investors";
import { rowOf } from "@tranche/read-models/documents/row-text";
import { createPendingInvestors } from "@tranche/shared/protocol/queue/pending-documents";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import { collected } from "@tranche/shared/engines/search/search-all";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { readFigures } from "../apps/indexer/read/investor-figures.ts";
import { createRandom } from "./drills/random.ts";
import { compareDocuments, expectedDocuments, searchableDocuments } from "./support/expected.ts";
import { sized } from "./support/sized.ts";
import { withService } from "./support/with-service.ts";
import { company, deletion, investor, merging, round } from "./support/writes.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";

const NOW = "2025-06-15T12:00:00Z";
/** At once, in random order. */
const WRITES = sized(500, 1500);

const { service, queues, client, names } = withService({ now: NOW, start: ["indexer"] });
/** All writes that were sent. */
const sent: RecordWrite[] = [];

afterEach(async () => {
  expect(await queues.failedJobs()).toEqual([]);
  expect(await queues.letters()).toEqual([]);
});

async function ingest(...groups: RecordWrite[][]): Promise<void> {
  for (const group of groups) {
    sent.push(...group);
    await queues.send(group);
    await queues.settled();
  }
  await queues.investorsSettled();
}

async function investorOf(id: string): Promise<InvestorRow | undefined> {
  const found = (await searchableDocuments(client, names)).investors.get(id) as InvestorDocument | undefined;
  return found && rowOf(found.row);
}

const verify = async (...options: string[]) => {
  const { code, stdout } = await service.ops(["verify", "--json", ...options]);
  return { code, ...(JSON.parse(stdout) as { differing: number; repaired: number; differences: object[] }) };
};

async function assertAsRecordsSay(): Promise<void> {
  const expected = expectedDocuments(sent, Date.parse(NOW));
  const compared = compareDocuments(expected, await searchableDocuments(client, names));
  expect(compared).toMatchObject({ missing: [], extra: [], stale: [] });
  expect(compared.compared).toBeGreaterThan(0);
}

/** Random writes of a few records, whose versions begin with `from`, in random order. */
function randomWrites(seed: number, from: number, count: number): RecordWrite[] {
  const random = createRandom(seed);
  const investors = Array.from({ length: 8 }, (_, n) => `x-inv-${n}`);
  const stakes = () =>
    random
      .shuffled(investors)
      .slice(0, random.below(4))
      .map((investor_id) => ({ investor_id, is_lead: random.chance(0.3) }));
  const writes = Array.from({ length: count }, (_, n): RecordWrite => {
    const [version, companyId, id] = [from + n, `x-co-${random.below(8)}`, `x-rnd-${random.below(30)}`];
    const announced_date = `20${10 + random.below(15)}-0${1 + random.below(9)}-01`;
    const kind = random.below(20);
    if (kind === 0) return deletion(version, "company", companyId);
    if (kind === 1) return deletion(version, "round", id);
    if (kind === 2 && random.chance(0.5)) return deletion(version, "investor", random.pick(investors));
    if (kind < 5)
      return company(version, companyId, {
        country: random.pick(["US", "DE", null]),
        category: random.pick(["Software", "Bio Tech", null]),
      });
    if (kind < 7) return investor(version, random.pick(investors), { kind: "Venture", aliases: [`Alias ${version}`] });
    if (kind < 10) return merging(version, "round", id, { investors: stakes() });
    const deal_type = random.pick(["seed", "series_a", "grant"]);
    return round(version, id, companyId, { announced_date, deal_type, investors: stakes() });
  });
  return random.shuffled(writes);
}

describe("an investor's document", () => {
  test("counts the rounds that the funding list has for it", async () => {
    const [first, second] = [{ investor_id: "inv-a", is_lead: true }, { investor_id: "inv-b" }];
    await ingest([
      company(1, "co-a", { country: "US", category: "Software" }),
      company(1, "co-b", { country: "DE", category: "Bio Tech" }),
      investor(1, "inv-a", { name: "Alpha", aliases: ["Alpha Fund"], country: "US", kind: "Venture Capital" }),
      investor(1, "inv-b"),
      investor(1, "inv-c"),
      round(1, "rnd-1", "co-a", { announced_date: "2025-01-02", investors: [first, second] }),
      round(1, "rnd-2", "co-a", { announced_date: "2025-03-04", investors: [first] }),
      round(1, "rnd-3", "co-b", {
        announced_date: "2025-02-03",
        deal_type: "grant",
        investors: [{ ...first, is_lead: false }],
      }),
    ]);
    expect(await investorOf("inv-a")).toEqual({
      id: "inv-a",
      name: "Alpha",
      slug: "alpha",
      aliases: ["Alpha Fund"],
      country: "US",
      kind: "Venture Capital",
      round_count: 3,
      lead_count: 2,
      company_count: 2,
      first_round_date: "2025-01-02",
      latest_round_date: "2025-03-04",
      top_categories: [
        { key: "software", count: 2 },
        { key: "bio-tech", count: 1 },
      ],
      top_countries: [
        { key: "US", count: 2 },
        { key: "DE", count: 1 },
      ],
      top_deal_types: [
        { key: "seed", count: 2 },
        { key: "grant", count: 1 },
      ],
    });
    expect(await investorOf("inv-c")).toMatchObject({ round_count: 0, latest_round_date: null, top_countries: [] });
  });

  test("changes with the rounds that it leaves, those that are deleted, and their companies", async () => {
    await ingest([round(2, "rnd-1", "co-a", { announced_date: "2025-01-02", investors: [{ investor_id: "inv-c" }] })]);
    expect(await investorOf("inv-a")).toMatchObject({ round_count: 2, first_round_date: "2025-02-03" });
    expect(await investorOf("inv-b")).toMatchObject({ round_count: 0 });
    expect(await investorOf("inv-c")).toMatchObject({ round_count: 1 });
    await ingest([merging(3, "round", "rnd-2", { investors: [{ investor_id: "inv-b" }] })]);
    expect(await investorOf("inv-a")).toMatchObject({ round_count: 1, company_count: 1 });
    expect(await investorOf("inv-b")).toMatchObject({ round_count: 1 });
    await ingest([deletion(4, "round", "rnd-2")]);
    expect(await investorOf("inv-b")).toMatchObject({ round_count: 0 });
    await ingest([deletion(5, "company", "co-b")]);
    expect(await investorOf("inv-a")).toMatchObject({ round_count: 0, top_categories: [] });
    await ingest([company(6, "co-b", { country: "FR" })]);
    expect(await investorOf("inv-a")).toMatchObject({ round_count: 1, top_countries: [{ key: "FR", count: 1 }] });
    await ingest([deletion(7, "investor", "inv-a")]);
    expect(await investorOf("inv-a")).toBeUndefined();
    await ingest([investor(8, "inv-a", { name: "Omega" })]);
    expect(await investorOf("inv-a")).toMatchObject({ name: "Omega", round_count: 1 });
  });

  test("is what the newest records say after many concurrent writes in any order, and an indexer that was killed among them", async () => {
    const indexer = await service.startIndexer();
    const writes = randomWrites(11, 1000, WRITES);
    sent.push(...writes);
    await queues.send(writes, 6);
    indexer.kill("SIGKILL");
    await queues.investorsSettled(60_000);
    await assertAsRecordsSay();
  });
});

test("large and small investors are counted alike", async () => {
  const ids = Array.from({ length: 8 }, (_, n) => `x-inv-${n}`);
  const index = names.role("funding", "live");
  const ticket = 1 as Ticket;
  const whole = await readFigures({ client }, ticket, index, ids);
  expect(whole.size).toBeGreaterThan(2);
  for (const maxRounds of [1, 4, 10]) {
    expect(await readFigures({ client }, ticket, index, ids, maxRounds)).toEqual(whole);
  }
});

describe("pending investors", () => {
  const pending = createPendingInvestors(queues.redis, `${service.namespace}-pending`);
  const all = async () => (await collected(pending.pages())).toSorted((a, b) => (a.id < b.id ? -1 : 1));

  test("stay pending until they are derived after they were added last", async () => {
    await pending.add(5 as Ticket, ["a", "b"]);
    const read = await all();
    await pending.add(7 as Ticket, ["b", "c"]);
    await pending.forget(read);
    expect(await all()).toEqual([
      { id: "b", addedWith: "7" },
      { id: "c", addedWith: "7" },
    ]);
    expect(await pending.among(["a", "b"])).toEqual(new Set(["b"]));
    await pending.forget(await all());
    expect(await pending.count()).toBe(0);
  });
});

describe("`GET /investors`", () => {
  let key = "";
  beforeAll(async () => {
    await service.startApi();
    key = await service.key();
    const more = Array.from({ length: 40 }, (_, n) =>
      investor(1, `y-inv-${n}`, {
        name: `Fund ${String(n % 30).padStart(2, "0")}`,
        country: ["US", "GB", undefined][n % 3],
        kind: ["Venture Capital", "Angel", undefined][n % 3],
      }),
    );
    const rounds = Array.from({ length: 120 }, (_, n) =>
      round(1, `y-rnd-${n}`, `y-co-${n % 7}`, {
        announced_date: `20${10 + (n % 11)}-0${1 + (n % 5)}-1${n % 7}`,
        deal_type: ["seed", "series_a", "grant"][n % 3],
        investors: [
          { investor_id: `y-inv-${(n * n) % 40}`, is_lead: n % 2 === 0 },
          { investor_id: `y-inv-${n % 13}`, is_lead: n % 5 === 0 },
        ].filter(({ investor_id }, i, all) => i === 0 || investor_id !== all[0]!.investor_id),
      }),
    );
    const companies = Array.from({ length: 7 }, (_, n) =>
      company(1, `y-co-${n}`, { category: ["Software", "Bio Tech", undefined][n % 3], country: ["US", "DE"][n % 2] }),
    );
    await ingest([...companies, ...more, ...rounds]);
  });

  const ask = async (path: string) => {
    const answer = await fetchUnlessBusy(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status, path).toBe(200);
    return (await answer.json()) as { data: any; pagination: { count: number; next_cursor: string | null } };
  };
  const list = async (query: string) => {
    const rows: InvestorRow[] = [];
    let cursor: string | null = "";
    let count = 0;
    do {
      const page = await ask(`/investors?limit=20&${query}${cursor ? `&cursor=${cursor}` : ""}`);
      rows.push(...(page.data as InvestorRow[]));
      ({ count, next_cursor: cursor } = page.pagination);
    } while (cursor !== null);
    expect(rows).toHaveLength(count);
    return rows;
  };

  test("a look-up compares slugs by key, as everything else does", async () => {
    const rows = await list("sort=round_count_desc");
    const byId = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const { slug } of rows.slice(0, 5)) {
      const { id } = byId.find((row) => row.slug === slug)!;
      const { data } = await ask(`/investors/${encodeURIComponent(slug.toUpperCase().replaceAll("-", " "))}`);
      expect(data.investor).toMatchObject({ id });
    }
  });

  test("shows the figures of the rounds that the API has for each investor", async () => {
    const rows = await list("sort=round_count_desc");
    const by = rows.toSorted((a, b) => b.round_count - a.round_count || (a.id < b.id ? -1 : 1));
    expect(rows.map(({ id }) => id)).toEqual(by.map(({ id }) => id));
    expect(rows.filter(({ round_count }) => round_count > 1).length).toBeGreaterThan(20);
    for (const row of rows) {
      const { data, pagination } = await ask(`/investors/${row.id}?limit=50`);
      expect(pagination.count, row.id).toBe(row.round_count);
      const rounds = data.rounds as FundingRow[];
      expect(rounds).toHaveLength(row.round_count);
      const leads = rounds.filter(({ investors }) => investors.some(({ id, is_lead }) => id === row.id && is_lead));
      expect(row).toMatchObject({
        lead_count: leads.length,
        company_count: new Set(rounds.map((each) => each.company.id)).size,
        latest_round_date: rounds[0]?.announced_date ?? null,
        first_round_date: rounds.at(-1)?.announced_date ?? null,
      });
    }
  });

  test("filters by each condition by itself, and the window by one round within it", async () => {
    const expected = expectedDocuments(sent, Date.parse(NOW));
    const funding = [...expected.funding.values()] as FundingDocument[];
    const investors = [...expected.investors.values()] as InvestorDocument[];
    type Test = (document: InvestorDocument, rounds: readonly FundingDocument[]) => boolean;
    const requests: [string, Test][] = [
      ["country=gb", ({ country }) => country === "GB"],
      ["kind=venture+capital", ({ kind_key }) => kind_key === "venture-capital"],
      ["category=software,nothing", (_, rounds) => rounds.some(({ category_key }) => category_key === "software")],
      ["deal_types=Series+A", (_, rounds) => rounds.some(({ deal_type }) => deal_type === "series_a")],
      [
        "category=Bio+Tech&deal_types=grant",
        (_, rounds) =>
          rounds.some(({ category_key }) => category_key === "bio-tech") &&
          rounds.some(({ deal_type }) => deal_type === "grant"),
      ],
      ["from=2013-02-01&to=2014-02-28", (_, rounds) => rounds.some(isWithin("2013-02-01", "2014-02-28"))],
      ["from=2019-03-05", (_, rounds) => rounds.some(isWithin("2019-03-05", "9999"))],
      ["to=2010-02-11", (_, rounds) => rounds.some(isWithin("0", "2010-02-11"))],
      ["min_round_count=4", (_, rounds) => rounds.length >= 4],
    ];
    for (const [query, matches] of requests) {
      const wanted = investors.filter((document) =>
        matches(
          document,
          funding.filter(({ investor_ids }) => investor_ids.includes(document.investor_id)),
        ),
      );
      expect(wanted.length, query).toBeGreaterThan(0);
      expect(wanted.length, query).toBeLessThan(investors.length);
      const sorted = (ids: string[]) => ids.toSorted(byCodePoint);
      expect(sorted((await list(query)).map(({ id }) => id)), query).toEqual(
        sorted(wanted.map(({ investor_id }) => investor_id)),
      );
    }
  });

  test("follows a write, also where a page of it was cached", async () => {
    const count = async () => (await ask("/investors?kind=angel&min_round_count=1&limit=1")).pagination.count;
    const before = [await count(), await count()];
    const writes = [
      investor(1, "z-inv", { kind: "Angel" }),
      round(1, "z-rnd", "y-co-1", { investors: [{ investor_id: "z-inv" }] }),
    ];
    sent.push(...writes);
    await queues.send(writes);
    await expect.poll(count).toBe(before[1]! + 1);
  });

  test("comes as CSV and as an export", async () => {
    const headers = { authorization: `Bearer ${key}`, accept: "text/csv" };
    const csv = await (await fetchUnlessBusy(`${service.base}/investors?limit=1&sort=name_asc`, { headers })).text();
    expect(csv.split("\r\n")[0]).toBe(
      "id,name,slug,aliases,country,kind,round_count,lead_count,company_count,first_round_date,latest_round_date,top_categories,top_countries,top_deal_types",
    );
    const exported = await fetchUnlessBusy(`${service.base}/investors/export`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const lines = (await exported.text()).trim().split("\n");
    expect(lines).toHaveLength((await ask("/investors")).pagination.count);
  });
});

const isWithin =
  (from: string, to: string) =>
  ({ announced_date }: FundingDocument): boolean =>
    announced_date >= from && announced_date <= to;

describe("the investors read model", () => {
  test("is rebuilt while rounds are written, and can be rolled back", async () => {
    const rebuilding = service.ops(["reindex", "--wait", "--json"]);
    const writes = randomWrites(13, 10_000, WRITES);
    sent.push(...writes);
    for (let at = 0; at < writes.length; at += 100) {
      await queues.send(writes.slice(at, at + 100), 10);
      await queues.settled();
    }
    const { code, stdout } = await rebuilding;
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ state: "swapped" })]);
    await queues.investorsSettled();
    await assertAsRecordsSay();
    expect(await verify()).toMatchObject({ code: 0, differing: 0 });

    const before = await readIndexRoles(client, names);
    await ingest([round(20_000, "x-rnd-1", "x-co-1", { investors: [{ investor_id: "inv-c", is_lead: true }] })]);
    expect((await service.ops(["rollback"])).code).toBe(0);
    expect((await readIndexRoles(client, names)).investors.live).toBe(before.investors.previous);
    await assertAsRecordsSay();
    expect(await verify()).toMatchObject({ code: 0, differing: 0 });
  });

  test("is verified and repaired", async () => {
    const index = names.role("investors", "live");
    await client.update({ index, id: "inv-c", doc: { round_count: 99 } });
    await client.delete({ index, id: "inv-b" });
    await client.index({ index, id: "ghost", document: { investor_id: "ghost", listed: true } });
    await client.indices.refresh({ index });
    const found = await verify();
    expect(found).toMatchObject({ code: 1, differing: 3 });
    expect(found.differences).toEqual(
      expect.arrayContaining([
        { model: "investors", id: "inv-b", kind: "missing", fields: [] },
        { model: "investors", id: "ghost", kind: "extra", fields: [] },
        { model: "investors", id: "inv-c", kind: "stale", fields: ["round_count"] },
      ]),
    );
    expect(await verify("--repair")).toMatchObject({ code: 0, differing: 3, repaired: 3 });
    await assertAsRecordsSay();
  });
});
