import { setTimeout as pause } from "node:timers/promises";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { type IngestJob, JOB_OPTIONS, QUEUES } from "@tranche/shared/protocol/queue/queues";
import { QueueEvents } from "bullmq";
import { afterAll, beforeAll, expect, test } from "vitest";
import { searchesMade } from "../support/searches.ts";
import type { Fixture } from "../support/with-service.ts";
import { company, round } from "../support/writes.ts";
import { fetchUnlessBusy } from "../support/unless-busy.ts";

const READERS = 4;
/** Between the requests of a reader, so that readers leave time for who writes. */
const BETWEEN_MS = 10;

export function testFreshWhileWriting({ engines, service, queues }: Fixture): void {
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

  type Progress = { asked: number; steps: number };

  /** Reads until `enough`: each time what is read is to be as new as `known` was before, and as what was read before. */
  async function reader(
    progress: Progress,
    { enough, known, read }: { enough: () => boolean; known: () => number; read: () => Promise<number> },
  ): Promise<void> {
    let last = 0;
    while (!enough()) {
      const least = Math.max(known(), last);
      const seen = await read();
      expect(seen).toBeGreaterThanOrEqual(least);
      if (seen > last) progress.steps++;
      last = seen;
      progress.asked++;
      await pause(BETWEEN_MS);
    }
  }

  async function amountIn(key: string): Promise<number> {
    const response = await fetchUnlessBusy(`${service.base}/funding?limit=5`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: { amount_usd: number }[] };
    return data[0]!.amount_usd;
  }

  test("nobody reads anything older than what a finished job wrote before, while pages are reused", async () => {
    await queues.send([company(1, "co"), round(1, "rnd", "co", { amount_usd: 1 })]);
    await queues.settled();
    const keys = await Promise.all(Array.from({ length: READERS }, () => service.key("scale")));
    const before = await searchesMade(service.apiMetrics);

    const read = keys.map((): Progress => ({ asked: 0, steps: 0 }));
    const asked = () => read.reduce((sum, each) => sum + each.asked, 0);
    let [written, sent] = [1, 1];
    const enough = () => sent > 30 && asked() > 500 && read.every(({ steps }) => steps > 3);
    const writer = async () => {
      while (!enough()) {
        await write(++sent);
        written = sent;
        await pause(20);
      }
    };
    const reading = keys.map((key, n) => reader(read[n]!, { enough, known: () => written, read: () => amountIn(key) }));
    await Promise.all([...reading, writer()]);

    expect((await searchesMade(service.apiMetrics)) - before).toBeLessThan(asked() / 2);
    expect(await amountIn(keys[0]!)).toBe(sent);
  });
}
