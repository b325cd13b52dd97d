import { setTimeout as pause } from "node:timers/promises";
import { createQueueConnection } from "@tranche/shared/queue/connection";
import { type IngestJob, JOB_OPTIONS, queuePrefix, QUEUES } from "@tranche/shared/queue/queues";
import { QueueEvents } from "bullmq";
import { afterAll, beforeAll, expect, test } from "vitest";
import { searchesMade } from "./support/searches.ts";
import { withService } from "./support/with-service.ts";
import { company, round } from "./support/writes.ts";

const NOW = "2025-06-15T12:00:00Z";
/** Single records are shown about once per second. */
const FOR_MS = 12_000;
const READERS = 4;
/** With as much a reader stays below the limit of its plan. */
const BETWEEN_MS = 8;

const { engines, service, queues } = withService({ now: NOW, start: ["indexer", "api"] });
let finished: QueueEvents;

beforeAll(async () => {
  finished = new QueueEvents(QUEUES.ingest, {
    connection: createQueueConnection(engines.redisUrl, "tests"),
    prefix: queuePrefix(service.namespace),
  });
  await finished.waitUntilReady();
});
afterAll(() => finished.close());

/** The amount is the version of the only round. Resolves as soon as its job is done. */
async function write(version: number): Promise<void> {
  const records = [round(version, "rnd", "co", { amount_usd: version })];
  const job = await queues.queue<IngestJob>(QUEUES.ingest).add("records", { records }, JOB_OPTIONS);
  await job.waitUntilFinished(finished, 10_000);
}

/** Reads until `until`: each time what is read is to be as new as `known` was before, and as what was read before. */
async function reader(until: number, known: () => number, read: () => Promise<number>) {
  let [last, asked, steps] = [0, 0, 0];
  while (performance.now() < until) {
    const least = Math.max(known(), last);
    const seen = await read();
    expect(seen).toBeGreaterThanOrEqual(least);
    if (seen > last) steps++;
    last = seen;
    asked++;
    await pause(BETWEEN_MS);
  }
  return { asked, steps };
}

async function amountIn(key: string): Promise<number> {
  const response = await fetch(`${service.base}/funding?limit=5`, { headers: { authorization: `Bearer ${key}` } });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { amount_usd: number }[] };
  return data[0]!.amount_usd;
}

test("nobody reads anything older than what a finished job wrote before, while pages are reused", async () => {
  await queues.send([company(1, "co"), round(1, "rnd", "co", { amount_usd: 1 })]);
  await queues.settled();
  const keys = await Promise.all(Array.from({ length: READERS }, () => service.key("scale")));
  const before = await searchesMade(service.operator);

  const until = performance.now() + FOR_MS;
  let [written, sent] = [1, 1];
  const writer = async () => {
    while (performance.now() < until) {
      await write(++sent);
      written = sent;
      await pause(20);
    }
  };
  const reading = keys.map((key) =>
    reader(
      until,
      () => written,
      () => amountIn(key),
    ),
  );
  const [read] = await Promise.all([Promise.all(reading), writer()]);

  expect(sent).toBeGreaterThan(4);
  for (const { steps } of read) expect(steps).toBeGreaterThan(3);
  const asked = read.reduce((sum, each) => sum + each.asked, 0);
  expect(asked).toBeGreaterThan(500);
  expect((await searchesMade(service.operator)) - before).toBeLessThan(asked / 2);
  expect(await amountIn(keys[0]!)).toBe(sent);
});
