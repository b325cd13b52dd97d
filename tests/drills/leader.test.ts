import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { generationKey } from "@tranche/shared/protocol/generations/generation";
import { takeLease } from "../../libs/shared/engines/redis/lease.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { leaderKey } from "../../apps/indexer/workers/leader.ts";
import { type EngineProxy, startProxy } from "./proxy.ts";
import { createRandom } from "./random.ts";
import { metricsOf } from "../support/metrics.ts";
import { freePort } from "../support/service.ts";
import { withService } from "../support/with-service.ts";
import { company, round } from "../support/writes.ts";

/** The pace of batches is what is measured. */
const env = { TRANCHE_PAUSES: "1" };
const { service, engines, queues, client, names } = withService({ now: "2025-06-15T12:00:00Z", env });

type Indexer = { process: ChildProcess; port: number };
let indexers: Indexer[];
let proxy: EngineProxy;

const start = async (elasticsearchUrl: string): Promise<Indexer> => {
  const port = await freePort();
  const process = await service.startIndexer({
    TRANCHE_INDEXER_PORT: String(port),
    ELASTICSEARCH_URL: elasticsearchUrl,
  });
  return { process, port };
};
const figure = async ({ port }: Indexer, series: string): Promise<number> => {
  const text = await metricsOf(`http://127.0.0.1:${port}`);
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")[1] ?? 0,
  );
};
const leaders = async (): Promise<Indexer[]> => {
  const leads = await Promise.all(indexers.map((indexer) => figure(indexer, "tranche_ingest_leader")));
  return indexers.filter((_, n) => leads[n] === 1);
};
const isSearchable = async (id: string): Promise<boolean> => {
  const { found, _source } = await client.get<{ gone?: true }>(
    { index: names.role("companies", "live"), id },
    { ignore: [404] },
  );
  return found && _source?.gone !== true;
};

beforeAll(async () => {
  proxy = await startProxy(engines.elasticsearchUrl, createRandom(1));
  // The first one leads, and is the one behind the proxy.
  indexers = [await start(proxy.url)];
  await vi.waitUntil(async () => (await leaders()).length === 1, { timeout: 30_000, interval: 100 });
  const others = [start(engines.elasticsearchUrl), start(engines.elasticsearchUrl)];
  indexers.push(...(await Promise.all(others)));
});
afterAll(() => proxy.close());

test("three indexers make about one generation per second from a stream of single records", async () => {
  const SECONDS = 12;
  await queues.send([company(1, "co-1")]);
  await queues.settled();
  const generations = new Set<string | null>();
  let ended = false;
  const watching = (async () => {
    while (!ended) {
      generations.add(await queues.redis.get(generationKey(service.namespace, "funding")));
      await pause(20);
    }
  })();
  const end = Date.now() + SECONDS * 1000;
  let sent = 0;
  while (Date.now() < end) {
    await queues.send([round(1, `rnd-${sent++}`, "co-1")]);
    await pause(30);
  }
  await queues.settled();
  ended = true;
  await watching;
  // Those that stand by are connected as before.
  expect(await figure(indexers[0]!, "tranche_indexers")).toBe(3);
  expect(sent).toBeGreaterThan(100);
  // The one before, and one that began as the last second ended. Three indexers that each keep this pace make three times as many.
  expect(generations.size).toBeLessThanOrEqual(SECONDS + 4);
  expect((await client.count({ index: names.role("funding", "live") })).count).toBe(sent);
});

test("the others help while more jobs wait than the leader can take", async () => {
  const done = () =>
    Promise.all(indexers.map((each) => figure(each, 'tranche_jobs_total{queue="ingest",outcome="completed"}')));
  const before = await done();
  for (let n = 0; n < 2000; n++) void queues.send([company(1, `co-many-${n}`)]);
  await expect
    .poll(async () => (await done()).filter((count, n) => count - before[n]! >= 50).length, { timeout: 60_000 })
    .toBeGreaterThan(1);
  await queues.settled(60_000);
  await expect.poll(async () => (await leaders()).length).toBe(1);
});

test("a leader that is cut off from Elasticsearch lets another one lead, and its own jobs end once it is back", async () => {
  expect((await leaders()).map(({ port }) => port)).toEqual([indexers[0]!.port]);
  proxy.mode = { kind: "away" };
  // Those that have just helped may still take the first of them.
  const cutOff = Array.from({ length: 5 }, (_, n) => `co-cut-off-${n}`);
  for (const id of cutOff) {
    await queues.send([company(1, id)]);
    await pause(1000);
  }
  await expect
    .poll(async () => (await leaders()).map(({ port }) => port), { timeout: 40_000, interval: 100 })
    .toEqual([expect.toBeOneOf(indexers.slice(1).map(({ port }) => port))]);
  // Until then it may still take one job.
  await pause(5000);
  await queues.send([company(1, "co-after")]);
  await expect.poll(() => isSearchable("co-after"), { timeout: 20_000 }).toBe(true);
  proxy.mode = { kind: "pass" };
  await queues.settled();
  for (const id of cutOff) expect(await isSearchable(id)).toBe(true);
});

test("a later version takes the lead from those of today, and an earlier one does not", async () => {
  const lease = { redis: queues.redis, key: leaderKey(service.namespace) };
  expect(await takeLease({ ...lease, holder: "1:earlier" }, 3000)).toBe(false);
  expect(await takeLease({ ...lease, holder: "1000:later" }, 10_000)).toBe(true);
  await expect.poll(async () => (await leaders()).length, { timeout: 9000, interval: 50 }).toBe(0);
  await expect.poll(async () => (await leaders()).length).toBe(1);
});

test("another one leads soon after the leader was killed, and at once after it ended in order", async () => {
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const [leader] = await leaders();
    indexers = indexers.filter((indexer) => indexer !== leader);
    leader!.process.kill(signal);
    await queues.send([company(1, `co-${signal}`)]);
    await expect.poll(() => isSearchable(`co-${signal}`), { timeout: 20_000 }).toBe(true);
    await expect.poll(async () => (await leaders()).length).toBe(1);
  }
});
