import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { estypes } from "@elastic/elasticsearch";
import { type Drill, type Outcome, seconds } from "./drill.ts";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { type Installation, judge, withInstallation } from "./installation.ts";
import { megabytesOf } from "./memory.ts";
import { differences, startMirror } from "./mirror.ts";
import { keepReading, keepWriting, knownRounds, type Reads } from "./steady-writes.ts";
import { firstRecords } from "./workload.ts";

/** As after the `?` of a request, and the same as a query of Elasticsearch. */
const LISTS: readonly [string, estypes.QueryDslQueryContainer][] = [
  ["", { match_all: {} }],
  ["country=US", { term: { country: "US" } }],
  ["country=!US", { bool: { must_not: { term: { country: "US" } } } }],
  ["deal_types=seed,series_a", { terms: { deal_type: ["seed", "series_a"] } }],
  ["min_amount_usd=50", { range: { amount_usd: { gte: 50 } } }],
  [
    "country=DE&from=2023-01-01",
    { bool: { filter: [{ term: { country: "DE" } }, { range: { announced_date: { gte: "2023-01-01" } } }] } },
  ],
];
const GROWS_AT_MOST = 1.15;
/** The work of the indexer that was killed last is redone meanwhile. */
const MIRROR_WITHIN_MS = 120_000;
/** Keys that may be there in one cycle and not in another, such as those of a minute's counters. */
const KEYS_MORE_AT_MOST = 40;

/** What is seen at rest, after each cycle. `redis_keys`: without jobs that are done. */
type Sample = { indexer_mb: number; api_mb: number; redis_keys: number; redis_mb: number; mirror_ms: number };

export const soak: Drill = {
  name: "soak",
  about:
    "half an hour of ingest, rebuilds, reads and restarts: memory is flat, Redis does not grow, no answer is wrong",
  async run(context) {
    const folder = mkdtempSync(join(tmpdir(), "tranche-soak-"));
    const plansFile = join(folder, "plans.json");
    const plan = { name: "Soak", max_limit: 50, burst: 1_000_000, quota: 100_000_000 };
    writeFileSync(plansFile, JSON.stringify({ soak: plan }));
    try {
      return await withInstallation(context, { env: { TRANCHE_PLANS_FILE: plansFile } }, async (installation) => {
        const { random, say, size } = context;
        const { queues, service } = installation;
        const { minutes, least, records, writesASecond, restMs } =
          size === "full"
            ? { minutes: 30, least: 6, records: 40_000, writesASecond: 100, restMs: 60_000 }
            : { minutes: 0, least: 2, records: 2000, writesASecond: 40, restMs: 2000 };
        const writes = firstRecords(random, records);
        await queues.send(writes);
        await queues.settled(300_000);
        // These two are never restarted: their memory is measured.
        const indexer = await service.startIndexer();
        const api = await service.startApi();
        const { base } = service;
        const key = await service.key("soak");
        const known = knownRounds(writes);
        const rounds = [...known.keys()];
        const mirror = startMirror(() => base, "/funding", "country=US", key);
        let other = await service.startApi();
        const bases = () => [base, service.base];

        const until = Date.now() + minutes * 60_000;
        const samples: Sample[] = [];
        const reads: Reads = { count: 0, failed: [], wrong: [] };
        const failures: string[] = [];
        try {
          for (let cycle = 0; cycle < least || Date.now() < until; cycle++) {
            const running = { yes: true };
            const version = 2 + writes.length;
            const writing = keepWriting(context, installation, known, running, { writesASecond, records, version });
            const reading = keepReading(amountAt(base, key), known, running, () => random.pick(rounds));
            const rebuild = await service.spawnOps(["reindex", "--wait", "--json"]);
            if (rebuild.code !== 0) failures.push(`cycle ${cycle + 1}: reindex: ${rebuild.stdout}${rebuild.stderr}`);
            if (cycle % 2 === 0) await installation.killIndexer();
            else await installation.stopIndexer();
            await installation.startIndexer();
            await endProcess(other);
            other = await service.startApi();
            await pause(restMs);
            running.yes = false;
            const [seen, written] = await Promise.all([reading, writing]);
            writes.push(...written);
            reads.count += seen.count;
            reads.failed.push(...seen.failed);
            reads.wrong.push(...seen.wrong);
            await queues.investorsSettled(300_000);
            failures.push(...(await wrongLists(installation, bases(), key)));
            const mirrorMs = await equalAfter(() => differences(mirror, base, key));
            if (mirrorMs === undefined) failures.push(`cycle ${cycle + 1}: the mirror differs from its list`);
            const sample = { ...(await sampleOf(installation, { indexer, api })), mirror_ms: mirrorMs ?? Infinity };
            samples.push(sample);
            say(`cycle ${cycle + 1}: ${JSON.stringify(sample)}, ${reads.count} reads`);
          }
          for (const each of [...failures, ...reads.wrong, ...reads.failed].slice(0, 10)) say(each);
          const { checks, figures } = await judge(context, installation, writes, { withinMs: 600_000 });
          return {
            checks: {
              ...checks,
              "no failed read": reads.failed.length === 0,
              "no wrong read": reads.wrong.length === 0,
              "every list, mirror and rebuild is right": failures.length === 0 && mirror.refusals.length === 0,
              ...flat(samples),
            },
            figures: {
              cycles: samples.length,
              reads: reads.count,
              pages_of_the_mirror: mirror.pages,
              mirror_equal_after_seconds: seconds(Math.max(...samples.map(({ mirror_ms }) => mirror_ms))),
              first: samples[0],
              last: samples.at(-1),
              ...figures,
            },
          };
        } finally {
          await mirror.stop();
        }
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** The amount of a round that the API shows; undefined when it has none of that id. */
const amountAt =
  (base: string, key: string) =>
  async (id: string): Promise<number | undefined> => {
    const answer = await fetch(`${base}/funding/${id}`, { headers: { Authorization: `Bearer ${key}` } });
    const text = await answer.text();
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    return (JSON.parse(text) as { data: { amount_usd: number } }).data.amount_usd;
  };

/** Lists whose count is not that of the index, at any of the APIs. Each is asked twice: the second answer comes from the cache. */
async function wrongLists({ client, names }: Installation, bases: string[], key: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const [filters, condition] of LISTS) {
    const query = { bool: { filter: [{ term: { listed: true } }, condition] } };
    const { count } = await client.count({ index: names.role("funding", "live"), query });
    for (const base of [...bases, ...bases]) {
      const answer = await fetch(`${base}/funding?limit=1&${filters}`, { headers: { Authorization: `Bearer ${key}` } });
      const text = await answer.text();
      const shown = answer.ok && (JSON.parse(text) as { pagination: { count: number } }).pagination.count;
      if (shown !== count) wrong.push(`/funding?${filters} shows ${shown} of ${count}`);
    }
  }
  return wrong;
}

/** After how many ms there is no difference left; undefined when there still is one. */
async function equalAfter(different: () => Promise<string[]>): Promise<number | undefined> {
  const start = Date.now();
  while ((await different()).length > 0) {
    if (Date.now() - start > MIRROR_WITHIN_MS) return undefined;
    await pause(200);
  }
  return Date.now() - start;
}

async function sampleOf(
  { queues, service }: Installation,
  { indexer, api }: { indexer: ChildProcess; api: ChildProcess },
): Promise<Omit<Sample, "mirror_ms">> {
  const { redis } = queues;
  const keys = await redis.keys(`*${service.namespace}*`);
  // Up to a thousand jobs of a queue are kept when they are done.
  const done = await Promise.all(Object.values(QUEUES).map((name) => queues.queue(name).getCompletedCount()));
  const [, bytes] = /^used_memory:(\d+)/m.exec(await redis.info("memory"))!;
  return {
    indexer_mb: await megabytesOf(indexer),
    api_mb: await megabytesOf(api),
    redis_keys: keys.length - done.reduce((sum, count) => sum + count),
    redis_mb: Math.round(Number(bytes) / 2 ** 20),
  };
}

/** Medians of the last third of the cycles against those of the second: caches fill in the first, and single samples vary. */
function flat(samples: readonly Sample[]): Outcome["checks"] {
  const third = Math.floor(samples.length / 3);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const grows = (of: keyof Sample, more: number) =>
    third > 0 && median(last, of) > median(middle, of) * GROWS_AT_MOST + more;
  return {
    "memory of the indexer is flat": !grows("indexer_mb", 1),
    "memory of the API is flat": !grows("api_mb", 1),
    "memory of Redis is flat": !grows("redis_mb", 1),
    "keys of Redis do not grow": !grows("redis_keys", KEYS_MORE_AT_MOST),
  };
}

function median(samples: readonly Sample[], of: keyof Sample): number {
  const sorted = samples.map((each) => each[of]).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

async function endProcess(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}
