import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import type { RowPosition } from "@tranche/read-models/query/row-position";
import { beforeAll, expect, test } from "vitest";
import { encodeCursor } from "@tranche/read-models/query/cursor";
import { listDigest } from "@tranche/read-models/query/sealed";
import { createRandom } from "./drills/random.ts";
import { searchesMade } from "./support/searches.ts";
import { sized } from "./support/sized.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";
import { withService } from "./support/with-service.ts";
import { company, deletion, investor, round, signal } from "./support/writes.ts";

const NOW = "2025-06-15T12:00:00Z";
const COMPANIES = 160;
const ROUNDS = 700;
const INVESTORS = 12;
const TURNS = sized(7, 20);
const MAX_WRITES = 8;
/** In every seventh turn an indexer is killed while it works. The other one takes up its jobs, and a third takes its place. */
const isKilling = (turn: number) => turn % 7 === 6;
/** Every turn waits for jobs and asks for all pages twice. In full it takes nearly a minute alone on two cores. */
const WITHIN_MS = 600_000;

/** The page after a position. */
const after = (list: string, sort: string, position: RowPosition) => {
  const digest = listDigest(`/api/v1/${list}`, { sort });
  return `${list}?sort=${sort}&limit=5&cursor=${encodeCursor({ digest, position })}`;
};

const PAGES = [
  "funding",
  "funding?limit=100&offset=550",
  "funding?sort=announced_date_asc&limit=5",
  "funding?sort=amount_desc&offset=600",
  "funding?sort=amount_asc&country=DE,FR&offset=100",
  ...["US", "DE", "FR"].map((country) => `funding?country=${country}&limit=3`),
  ...["seed", "series_a", "grant"].map((type) => `funding?deal_types=${type}&limit=3&offset=20`),
  ...Array.from({ length: INVESTORS }, (_, n) => `funding?investors=investor-inv-${n}&limit=2`),
  "funding?investors=investor-inv-1,investor-inv-2&country=US",
  "funding?investors=nobody-at-all",
  "funding?from=2024-03-01&to=2024-05-31&limit=10",
  "funding?min_amount_usd=5000000&max_amount_usd=9000000",
  "funding?from=2024-01-01&min_amount_usd=15000000&country=FR",
  after("funding", "announced_date_desc", { value: "2024-09-10", id: "rnd-300" }),
  after("funding", "announced_date_asc", { value: "2025-05-27", id: "rnd-300" }),
  after("funding", "amount_desc", { value: 6_000_000, id: "rnd-3" }),
  after("funding", "amount_asc", { value: null, id: "rnd-300" }),
  after("signals", "signal_score_desc", { value: 10, id: "co-20" }),
  after("signals", "name_asc", { value: "company-co-50", id: "co-50" }),
  "funding?country=!US&limit=3",
  "funding?country=!DE&country=!FR&deal_types=seed,!grant&limit=3",
  "funding?investors=investor-inv-1,!investor-inv-2&limit=2",
  "funding?investors=inv-1,inv-2&investors_match=all&limit=2",
  "funding?lead_investors=inv-3&limit=2",
  "funding?companies=co-3,Company co-4&limit=2",
  "funding?category=!software&city=Berlin,Paris&limit=3",
  "funding?disclosed=false&limit=3",
  "signals?limit=5",
  "signals?investors=!inv-1&limit=5",
  "signals?country=!US&signal=!hiring&limit=5",
  "signals?signal=hiring&detected_since=2025-06-05&limit=5",
  "signals?detected_since=2025-04-01&min_total_raised_usd=9000000&limit=5",
  "signals?from=2025-01-01&min_round_count=3&max_amount_usd=6000000&limit=5",
  "signals?sort=name_desc&limit=5&offset=30",
  "signals?sort=signal_score_asc&limit=5",
  "signals?sort=latest_funding_asc&limit=5",
  "signals?sort=amount_desc&country=US&limit=5",
  ...["just_raised", "hiring", "funding_milestone"].map((key) => `signals?signal=${key}&limit=3`),
  "signals?signal=just_raised,hiring&signal_match=all",
  "signals?tech_stack=PostgreSQL,Rust&tech_match=all",
  "signals?tech_stack=Go&min_signal_score=20",
  ...["Berlin", "Paris", "Austin"].map((city) => `signals?city=${city}&limit=4`),
  "signals?category=software,biotech&deal_type=seed&format=flat",
  "companies?limit=5",
  "companies?sort=total_raised_desc&country=!US&limit=5",
  "companies?sort=round_count_desc&min_round_count=4&limit=5&offset=20",
  "companies?q=company co-1&limit=5",
  "companies?q=comp&sort=latest_funding_desc&category=biotech&limit=5",
  "search?q=company co-15",
  "funding/stats",
  "funding/stats?group_by=investor,deal_type&limit=5",
  "funding/stats?group_by=month&country=DE",
  "funding/stats?group_by=category&investors=inv-3&sort=total_amount_desc",
  "signals/stats?group_by=signal,country&limit=7",
  "signals/stats?group_by=technology&min_total_raised_usd=9000000",
];

/** Figures of investors may lag behind the rounds. These pages are asked for in every turn, and compared when all are counted. */
const PAGES_OF_INVESTORS = [
  "investors?limit=5",
  "investors?sort=lead_count_desc&deal_types=!grant&limit=3&offset=4",
  "investors?sort=latest_round_desc&category=biotech&limit=4",
  "investors?from=2025-05-10&to=2025-05-20&sort=name_asc&limit=3",
  "investors?q=inv 1&limit=5",
  "search?q=invstor&types=investor,city",
];
/** In every fifth turn, because waiting for the investors takes longer than for the rounds. */
const isCounted = (turn: number) => turn % 5 === 4;

const random = createRandom(8);
let version = 0;
const id = (kind: "co" | "rnd" | "inv", below: number) => `${kind}-${random.below(below)}`;
const day = () => new Date(Date.UTC(2024, random.below(17), 1 + random.below(28))).toISOString().slice(0, 10);

/** One write as sources send them: of something new or of something that is there, changed in what lists go by or not. */
const DRAWS: (() => RecordWrite)[] = [
  () => changedCompany(id("co", COMPANIES)),
  () => changedRound(id("rnd", ROUNDS)),
  () => changedRound(id("rnd", ROUNDS)),
  () => changedRound(id("rnd", ROUNDS)),
  () => signal(++version, id("co", COMPANIES), "hiring", { detected_at: "2025-06-10" }),
  () => deletion(++version, "round", id("rnd", ROUNDS)),
  () => investor(++version, id("inv", INVESTORS)),
];
const last = new Map<string, RecordWrite>();

function changedCompany(companyId: string): RecordWrite {
  const [country, city] = random.pick([
    ["US", "Austin"],
    ["DE", "Berlin"],
    ["FR", "Paris"],
    [null, null],
  ]);
  const category = random.pick(["software", "biotech", null]);
  const tech_stack = ["PostgreSQL", "Rust", "Go"].filter(() => random.chance(0.4));
  return company(++version, companyId, { country, city, category, tech_stack });
}

function changedRound(roundId: string): RecordWrite {
  const investors = ["inv-1", id("inv", INVESTORS)].filter(() => random.chance(0.5));
  return round(++version, roundId, `co-${Number(roundId.slice(4)) % COMPANIES}`, {
    announced_date: day(),
    deal_type: random.pick(["seed", "series_a", "grant"]),
    amount_usd: random.pick([null, 1_000_000, 6_000_000, 1_000_000 * random.below(40)]),
    investors: [...new Set(investors)].map((investor_id) => ({ investor_id, is_lead: random.chance(0.5) })),
  });
}

/** Half of what sources send is what they sent before. */
function drawn(): RecordWrite {
  const there = [...last.values()];
  if (random.chance(0.5)) return { ...random.pick(there), version: ++version };
  return random.pick(DRAWS)();
}

const { service, queues } = withService({ now: NOW });
let indexers: ChildProcess[];
type Api = { base: string; metrics: string };
let remembering: Api;
let forgetful: Api;

beforeAll(async () => {
  indexers = await Promise.all([service.startIndexer(), service.startIndexer()]);
  const start = async (cache: "on" | "off") => {
    await service.startApi({ TRANCHE_CACHE: cache });
    return { base: service.base, metrics: service.apiMetrics };
  };
  [remembering, forgetful] = [await start("on"), await start("off")];
});

async function send(writes: readonly RecordWrite[], size: number): Promise<void> {
  for (const write of writes) last.set(`${write.type} ${write.id}`, write);
  await queues.send(writes, size);
}

async function killOne(): Promise<void> {
  await pause(random.below(400));
  indexers.shift()!.kill("SIGKILL");
  indexers.push(await service.startIndexer());
}

async function bodies(base: string, keys: readonly string[], pages: readonly string[]): Promise<string[]> {
  return Promise.all(
    pages.map(async (page, i) => {
      const headers = { authorization: `Bearer ${keys[i % keys.length]}` };
      const response = await fetchUnlessBusy(`${base}/${page}`, { headers });
      const body = await response.text();
      expect(response.status, `${page}: ${body}`).toBe(200);
      return body;
    }),
  );
}

test(
  "pages that changes do not touch are given again, and are what would be found afresh",
  async () => {
    await send(
      [
        ...Array.from({ length: INVESTORS }, (_, n) => investor(++version, `inv-${n}`)),
        ...Array.from({ length: COMPANIES }, (_, n) => changedCompany(`co-${n}`)),
        ...Array.from({ length: ROUNDS }, (_, n) => changedRound(`rnd-${n}`)),
      ],
      500,
    );
    await queues.settled();
    const keys = await Promise.all(Array.from({ length: 6 }, () => service.key("scale")));
    for (let turn = 0; turn < TURNS; turn++) {
      // One more request, while nothing is written, lets counts be adjusted.
      await bodies(remembering.base, keys, [...PAGES, ...PAGES_OF_INVESTORS]);
      await send(Array.from({ length: 1 + random.below(MAX_WRITES) }, drawn), 2);
      if (isKilling(turn)) await killOne();
      await (isCounted(turn) ? queues.investorsSettled() : queues.settled());
      const pages = isCounted(turn) ? [...PAGES, ...PAGES_OF_INVESTORS] : PAGES;
      const kept = await bodies(remembering.base, keys, pages);
      const found = await bodies(forgetful.base, keys, pages);
      for (const [i, page] of pages.entries()) expect(kept[i], `${page} after turn ${turn}`).toBe(found[i]);
    }
    // Some of them have to be looked for again, and many have not. What a killed indexer had under way may cost one more look for each page.
    const [searched, would] = [await searchesMade(remembering.metrics), await searchesMade(forgetful.metrics)];
    expect(searched).toBeGreaterThan(2 * PAGES.length);
    const kills = Array.from({ length: TURNS }, (_, turn) => turn).filter(isKilling).length;
    expect(searched).toBeLessThan(0.75 * would + kills * PAGES.length);
  },
  WITHIN_MS,
);
