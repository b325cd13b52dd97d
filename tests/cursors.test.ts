import { setTimeout as pause } from "node:timers/promises";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { beforeAll, describe, expect, test } from "vitest";
import { FUNDING_SORTS } from "../libs/read-models/parameters/funding.ts";
import { INVESTORS_SORTS } from "../libs/read-models/parameters/investors.ts";
import { COMPANIES_SORTS } from "../libs/read-models/parameters/companies.ts";
import { SIGNALS_SORTS } from "../libs/read-models/parameters/signals.ts";
import { createRandom } from "./drills/random.ts";
import { sized } from "./support/sized.ts";
import { plansWithoutLimits } from "./support/plans-file.ts";
import { withService } from "./support/with-service.ts";
import { company, deletion, investor, round, signal } from "./support/writes.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";

/** More than are scanned without a guess where a page ends. */
const COMPANIES = sized(1050, 1500);
const ROUNDS = sized(1200, 3000);
const INVESTORS = sized(1050, 1200);
/** Rows whose ids end in one of these stay where they are; all others are written while somebody reads. */
const STAYING = /[02468]$/;
const WRITES_PER_TURN = 10;
const TURN_MS = 50;

const { service, queues } = withService({
  now: "2025-06-15T12:00:00Z",
  env: { TRANCHE_PLANS_FILE: plansWithoutLimits() },
  start: ["indexer", "api"],
});
const random = createRandom(22);
let version = 0;

/** Many rows have the same value, and many have none. */
const DAYS = ["2024-01-01", "2024-01-01", "2024-02-29", "2025-04-01", "2025-05-01", "2025-06-10"];
const AMOUNTS = [null, null, 0, 1_000_000, 1_000_000, 2_500_000.5, 90_000_000_000_000];
const LONG_NAME = "名".repeat(499);
const NAMES = ["Acme", "Acme", "Zeta Labs", "Zeta Labs 2", "北京资本", "!!", LONG_NAME, `${LONG_NAME}二`];

/**
 * Rows that change have short names: a cursor holds the beginning of a long one, so when its row gets another name, the rows that share the
 * beginning come again.
 */
const nameOf = (id: string) => random.pick(STAYING.test(id) ? NAMES : NAMES.filter((name) => name.length < 100));
const drawnCompany = (id: string) => company(++version, id, { name: nameOf(id), country: country() });
const drawnInvestor = (id: string) => investor(++version, id, { name: nameOf(id), country: country() });
const country = () => random.pick(["US", "US", "DE", null]);
function drawnRound(id: string): RecordWrite {
  // Some companies have no round.
  const companyId = `co-${(Number(id.slice(4)) * 7) % (COMPANIES * 0.8)}`;
  // Some investors have no round. Those of rounds that stay are in no others.
  const investorId = `inv-${(Number(id.slice(4)) * 7) % (INVESTORS * 0.8)}`;
  const investors = [{ investor_id: investorId, is_lead: random.chance(0.5) }];
  const fields = { announced_date: random.pick(DAYS), amount_usd: random.pick(AMOUNTS), investors };
  return round(++version, id, companyId, fields);
}
const drawnSignal = (id: string) =>
  signal(++version, id, random.pick(["hiring", "layoffs"]), {
    id: `sig-${id}`,
    detected_at: random.pick(["2025-06-01", "2025-06-10"]),
  });

/** A record of those that do not stay, changed, new or deleted. A company stays only if its rounds do. */
function change(): RecordWrite {
  const odd = 1 + 2 * random.below(ROUNDS / 2);
  const roundId = `rnd-${odd}`;
  const companyId = `co-${odd % COMPANIES}`;
  const investorId = `inv-${odd % INVESTORS}`;
  return random.pick([
    () => drawnRound(roundId),
    () => deletion(++version, "round", roundId),
    () => drawnCompany(companyId),
    () => drawnSignal(companyId),
    () => drawnInvestor(investorId),
    () => deletion(++version, "signal", `sig-${companyId}`),
  ])();
}

let key: string;
type Page = {
  data: ({ id: string } | { company: { id: string } } | { investor: { id: string } })[];
  pagination: { count: number; offset: number | null; has_more: boolean; next_cursor: string | null };
};
async function get(path: string, status = 200, headers: Record<string, string> = {}) {
  const response = await fetchUnlessBusy(`${service.base}/${path}`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  const text = await response.text();
  expect(response.status, `${path}: ${text}`).toBe(status);
  return { text, response };
}
const page = async (path: string) => JSON.parse((await get(path)).text) as Page;
function idOf(row: Page["data"][number]): string {
  if ("id" in row) return row.id;
  return "company" in row ? row.company.id : row.investor.id;
}

/** All ids of a list, by cursor; `between` is done after each page. */
async function walk(list: string, query: string, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
  const ids: string[] = [];
  let cursor = "";
  for (;;) {
    const { data, pagination } = await page(`${list}?${query}${cursor}`);
    ids.push(...data.map(idOf));
    expect(pagination.has_more).toBe(pagination.next_cursor !== null);
    expect(pagination.offset).toBe(cursor === "" ? 0 : null);
    if (pagination.next_cursor === null) return ids;
    cursor = `&cursor=${pagination.next_cursor}`;
    await between();
  }
}

/** All ids of a list, by offset. */
async function all(list: string, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const { data, pagination } = await page(`${list}?${query}&limit=50&offset=${ids.length}`);
    ids.push(...data.map(idOf));
    if (!pagination.has_more) return ids;
  }
}

beforeAll(async () => {
  await queues.send([
    ...Array.from({ length: COMPANIES }, (_, n) => drawnCompany(`co-${n}`)),
    // Some companies are not in the list of signals.
    ...Array.from({ length: COMPANIES }, (_, n) => drawnSignal(`co-${n}`)).filter((_, n) => n % 10 !== 4),
    ...Array.from({ length: INVESTORS }, (_, n) => drawnInvestor(`inv-${n}`)),
    ...Array.from({ length: ROUNDS }, (_, n) => drawnRound(`rnd-${n}`)),
  ]);
  await queues.investorsSettled();
  key = await service.key();
});

/** Every order of every list, or of each list one or two by different kinds of values, those that may be missing among them. */
const LISTS = [
  ["funding", sized(["announced_date_desc", "amount_asc"], Object.keys(FUNDING_SORTS))],
  ["signals", sized(["latest_funding_desc"], Object.keys(SIGNALS_SORTS))],
  ["companies", sized(["total_raised_desc"], Object.keys(COMPANIES_SORTS))],
  ["investors", sized(["latest_round_desc"], Object.keys(INVESTORS_SORTS))],
] as const;
const ORDERS = LISTS.flatMap(([list, sorts]) => sorts.map((sort) => [list, sort] as const));

describe("by cursor", () => {
  test.each(ORDERS)("/%s in the order %s has the rows that it has by offset", async (list, sort) => {
    for (const filter of ["", "&country=US"]) {
      const [rows, walked] = await Promise.all([
        all(list, `sort=${sort}${filter}`),
        walk(list, `sort=${sort}${filter}&limit=25`),
      ]);
      expect(rows.length).toBeGreaterThan(20);
      expect(walked).toEqual(rows);
    }
  });

  test("a list continues from any page, with another limit, in another format and by the links", async () => {
    const rows = await all("funding", "sort=amount_desc");
    const { pagination } = await page("funding?sort=amount_desc&limit=3&offset=601");
    const path = `funding?sort=amount_desc&limit=4&cursor=${pagination.next_cursor}`;
    const { text, response } = await get(path, 200, { accept: "application/x-ndjson" });
    const lines = text.trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(rows.slice(604, 608));
    const next = response.headers.get("x-next-cursor");
    expect(response.headers.get("x-total-count")).toBe(String(rows.length));
    expect(response.headers.get("link")).toContain(`limit=4&cursor=${next}>; rel="next"`);
    expect((await page(`funding?sort=amount_desc&limit=5&cursor=${next}`)).data.map(idOf)).toEqual(
      rows.slice(608, 613),
    );
    const head = await fetchUnlessBusy(`${service.base}/${path}`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${key}` },
    });
    expect(head.headers.get("link")).toBe((await get(path)).response.headers.get("link"));
  });

  test.each(["companies/co-0", "companies/co-7"])("the rounds of %s are those that it has by offset", async (path) => {
    type Company = { data: { rounds: { id: string }[] }; pagination: Page["pagination"] };
    const found = async (query: string) => JSON.parse((await get(`${path}?${query}`)).text) as Company;
    const rows = (await found("limit=50")).data.rounds.map(({ id }) => id);
    const walked: string[] = [];
    for (let query: string | undefined = "limit=2"; query;) {
      const { data, pagination }: Company = await found(query);
      walked.push(...data.rounds.map(({ id }) => id));
      query = pagination.next_cursor === null ? undefined : `limit=2&cursor=${pagination.next_cursor}`;
    }
    expect(rows.length).toBeGreaterThan(2);
    expect(walked).toEqual(rows);
  });
});

test("rows that have come since a walk are in the next one, also where no row was before", async () => {
  const walks = () => Promise.all(ORDERS.map(([list, sort]) => walk(list, `sort=${sort}&limit=50`)));
  await walks();
  const fields = [{ announced_date: "2024-06-15" }, { announced_date: "2023-12-31", amount_usd: 7_777_777 }];
  await queues.send(fields.map((each, n) => round(++version, `rnd-${ROUNDS + 1 + 2 * n}`, "co-1", each)));
  await queues.send([company(++version, "co-3", { name: "Middling" }), investor(++version, "inv-3", { name: "Mid" })]);
  await queues.investorsSettled();
  const found = await walks();
  // One list after the other: an account may ask for only 20 pages far down a list at once.
  for (const [n, [list, sort]] of ORDERS.entries()) expect(found[n]).toEqual(await all(list, `sort=${sort}`));
});

describe("a cursor is refused", () => {
  const refused = async (path: string) => {
    const { text } = await get(path, 400);
    const { details } = (JSON.parse(text) as { error: { details: { parameter: string; code: string }[] } }).error;
    return details.map(({ parameter, code }) => `${parameter} ${code}`);
  };
  const given = async () => (await page("funding?country=US&sort=amount_desc&limit=1")).pagination.next_cursor!;

  test("with other filters, another sort, or another list", async () => {
    const cursor = await given();
    for (const path of [
      `funding?country=DE&sort=amount_desc&cursor=${cursor}`,
      `funding?sort=amount_desc&cursor=${cursor}`,
      `funding?country=US&sort=amount_asc&cursor=${cursor}`,
      `funding?country=US&cursor=${cursor}`,
      `signals?country=US&sort=amount_desc&cursor=${cursor}`,
      `companies/co-0?cursor=${cursor}`,
    ]) {
      expect(await refused(path), path).toEqual(["cursor other_list"]);
    }
    await get(`funding?country=usa&sort=amount_desc&limit=2&cursor=${cursor}`);
  });

  test("with an offset, damaged, or too long", async () => {
    const cursor = await given();
    const list = "funding?country=US&sort=amount_desc";
    expect(await refused(`${list}&offset=0&cursor=${cursor}`)).toEqual(["cursor contradiction"]);
    for (const damaged of [
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      cursor.toLowerCase(),
      "x",
      "A".repeat(2049),
    ])
      expect(await refused(`${list}&cursor=${damaged}`)).toEqual(["cursor malformed_value"]);
    expect(await refused(`${list}&cursor=`)).toEqual(["cursor malformed_value"]);
    expect(await refused(`${list}&cursor=${cursor}&cursor=${cursor}`)).toEqual(["cursor repeated_parameter"]);
    expect(await refused(`funding?country=Atlantis&cursor=${cursor}`)).toEqual(["country unknown_value"]);
  });
});

test("while records are written, a walk has each row that stays in its place once, in order", async () => {
  const staying = new Map<string, string[]>();
  const stays = (id: string) => STAYING.test(id);
  for (const [list, sort] of ORDERS) staying.set(`${list} ${sort}`, (await all(list, `sort=${sort}`)).filter(stays));

  const before = version;
  let writing = true;
  const writer = async () => {
    while (writing) {
      await queues.send(Array.from({ length: WRITES_PER_TURN }, change), WRITES_PER_TURN);
      await pause(TURN_MS);
    }
  };
  const written = writer();
  const wrong: string[] = [];
  try {
    for (const [list, sort] of ORDERS) {
      const found = await walk(list, `sort=${sort}&limit=80`, () => pause(TURN_MS / 2));
      const wanted = staying.get(`${list} ${sort}`)!;
      if (found.filter(stays).join() !== wanted.join()) wrong.push(`${list} ${sort}`);
    }
  } finally {
    writing = false;
    await written;
  }
  await queues.investorsSettled();
  expect(wrong).toEqual([]);
  expect(version - before).toBeGreaterThan(sized(300, 1000));
}, 300_000);
