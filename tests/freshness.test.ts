import { setTimeout as pause } from "node:timers/promises";
import { readLag } from "@tranche/operations/status/lag";
import { createLogger } from "@tranche/shared/process/logger";
import { queueAccess } from "@tranche/shared/protocol/queue/access";
import { closeQueues } from "@tranche/shared/protocol/queue/close-queues";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { correctOpenSince, openSinceKey } from "@tranche/shared/protocol/queue/open-writes";
import { createPendingFanout, createPendingInvestors } from "@tranche/shared/protocol/queue/pending-documents";
import { JOB_OPTIONS } from "@tranche/shared/protocol/queue/queues";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createQueues, pipelineQueues } from "../apps/indexer/pipeline/queues.ts";
import { undocumented } from "./support/documented.ts";
import { ENGINES } from "./support/engines.ts";
import { timing } from "./support/pauses.ts";
import { searchesMade } from "./support/searches.ts";
import { withService } from "./support/with-service.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";

const { service } = withService({ now: "2025-06-15T12:00:00Z" });

let key: string;

beforeAll(async () => {
  await service.startApi();
  key = await service.key("scale");
});

type Freshness = {
  today: string;
  lists: Record<string, { count: number; changed_at: string | null; newest_announced_date?: string | null }>;
  delay_seconds: number | null;
};
async function freshness(): Promise<Freshness> {
  const response = await fetchUnlessBusy(`${service.base}/freshness`, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.any(String)]);
  expect(undocumented("/api/v1/freshness", response, text)).toEqual([]);
  return JSON.parse(text) as Freshness;
}

const RECORDS = [
  { type: "company", id: "c1", name: "Acme" },
  { type: "company", id: "c2", name: "Bolt" },
  { type: "investor", id: "i1", name: "Fund" },
  {
    type: "round",
    id: "r1",
    company_id: "c1",
    announced_date: "2025-05-02",
    deal_type: "seed",
    amount_usd: 1,
    investors: [{ investor_id: "i1" }],
  },
];

test("the delay grows while nobody indexes what was accepted, and ends with it", async () => {
  const empty = { count: 0, changed_at: null };
  const nothing = { funding: { ...empty, newest_announced_date: null }, companies: empty, investors: empty };
  expect(await freshness()).toEqual({ today: "2025-06-15", lists: nothing, delay_seconds: 0 });

  const begun = Date.now();
  const lines = RECORDS.map((record) => JSON.stringify(record)).join("\n");
  expect((await service.ops(["ingest", "-"], lines)).code).toBe(0);
  await expect.poll(async () => (await freshness()).delay_seconds).toBeGreaterThan(0.5);
  const { delay_seconds, lists } = await freshness();
  expect(delay_seconds).toBeLessThanOrEqual((Date.now() - begun) / 1000 + 0.1);
  expect(lists).toEqual(nothing);

  await service.startIndexer();
  await expect.poll(async () => (await freshness()).delay_seconds).toBe(0);
  const after = await freshness();
  expect(after.lists).toMatchObject({
    funding: { count: 1, newest_announced_date: "2025-05-02" },
    companies: { count: 2 },
    investors: { count: 1 },
  });
  for (const { changed_at } of Object.values(after.lists)) {
    expect(Date.parse(changed_at!)).toBeGreaterThan(begun);
    expect(Date.parse(changed_at!)).toBeLessThan(Date.now() + 1000);
  }
});

test("it costs nothing of the month, and requests at once share an answer", async () => {
  const searchesOf = async (ask: () => Promise<unknown>): Promise<number> => {
    await pause(timing.freshness);
    const before = await searchesMade(service.apiMetrics);
    await ask();
    return (await searchesMade(service.apiMetrics)) - before;
  };
  const ofOne = await searchesOf(freshness);
  expect(ofOne).toBeGreaterThan(0);
  // Two, should the first answer be kept for less time than the requests take.
  const ofAll = await searchesOf(async () => {
    const all = await Promise.all(Array.from({ length: 8 }, freshness));
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBeLessThanOrEqual(2);
  });
  expect(ofAll).toBeLessThanOrEqual(2 * ofOne);
  const usage = await fetchUnlessBusy(`${service.base}/usage`, { headers: { authorization: `Bearer ${key}` } });
  expect(await usage.json()).toMatchObject({ data: { month: { used: 0 } } });
});

/** Queues on which nobody works: jobs stay as they are added. */
function withIdleQueues() {
  const namespace = `open${Date.now()}`;
  const redis = createQueueConnection(ENGINES.redisUrl, "tests");
  const queues = createQueues(queueAccess(redis, namespace));
  afterAll(async () => {
    for (const queue of [queues.ingest, queues.derive, queues.fanout]) await queue.obliterate();
    await redis.del(openSinceKey(namespace));
    await closeQueues(Object.values(queues));
    redis.disconnect();
  });
  return { namespace, redis, queues };
}

const idle = withIdleQueues();

/** The time of a job that was made in a second of this minute. */
const at = (second: number) => Date.parse("2025-06-15T12:00:00Z") + second * 1000;
/** Adds a job that was made then, and is due after `dueInMs` from now on. */
const add = (second: number, dueInMs?: number) => {
  const delay = dueInMs && Date.now() + dueInMs - at(second);
  const options = { ...JOB_OPTIONS, timestamp: at(second), ...(delay && { delay }) };
  return idle.queues.ingest.add("records", { records: [] }, options);
};
/** The second of the oldest open job, as callers and as operators are told. */
async function oldest(): Promise<[number | null, number | null]> {
  const { namespace, redis, queues } = idle;
  await correctOpenSince(redis, namespace);
  const since = await redis.get(openSinceKey(namespace));
  const { oldest_job_seconds: age } = await readLag({ redis, namespace, ingest: queues.ingest }, at(60));
  return [since === null ? null : (Number(since) - at(0)) / 1000, age === null ? null : 60 - age];
}

test("the delay counts from the oldest job, also where it is not the next one", async () => {
  const { ingest } = idle.queues;
  expect(await oldest()).toEqual([null, null]);
  await add(50);
  await add(55);
  expect(await oldest()).toEqual([50, 50]);
  await add(40, 60_000);
  const later = await add(30, 90_000);
  expect(await oldest()).toEqual([30, 30]);
  // It enters behind those that wait.
  await later.promote();
  expect((await ingest.getWaiting()).map(({ timestamp }) => timestamp)).toEqual([50, 55, 30].map(at));
  expect(await oldest()).toEqual([30, 30]);
  // Another program's writing hides nothing.
  await idle.redis.set(ingest.toKey("foreign"), "no job");
  await idle.redis.rpush(ingest.toKey("wait"), "foreign");
  expect(await oldest()).toEqual([30, 30]);
  await idle.redis.del(ingest.toKey("foreign"));
  await later.remove();
  expect(await oldest()).toEqual([40, 40]);
});

test("what follows from a job is as old", async () => {
  const { namespace, redis, queues } = idle;
  const pipeline = pipelineQueues(
    queues,
    createPendingInvestors(redis, namespace),
    createPendingFanout(redis, namespace),
    { keep: async () => {} },
    timing,
    createLogger("tests", "silent"),
  );
  await queues.ingest.obliterate();
  await pipeline.enqueueFanout(at(20));
  expect(await oldest()).toEqual([20, 20]);
  await pipeline.enqueueDerive([{ rounds: ["r1"], companies: [] }], at(10));
  expect(await oldest()).toEqual([10, 10]);
  await queues.derive.obliterate();
  await queues.fanout.obliterate();
  const begun = Date.now();
  await pipeline.enqueueDerive([{ rounds: ["r1"], companies: [] }]);
  expect(at((await oldest())[0]!)).toBeGreaterThanOrEqual(begun);
});
