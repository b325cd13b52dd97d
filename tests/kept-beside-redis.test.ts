import { createMonthCountBackup } from "@tranche/shared/accounts/month-count-backup";
import { handleOfKey } from "@tranche/shared/accounts/api-key";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import { createDeadLetterBackup, deadLetterId } from "@tranche/shared/protocol/queue/dead-letter-backup";
import { createFailedIngestBackup } from "@tranche/shared/protocol/queue/failed-ingest-backup";
import { type DeadLetter, type IngestJob, QUEUES } from "@tranche/shared/protocol/queue/queues";
import { beforeAll, describe, expect, test } from "vitest";
import { withService } from "./support/with-service.ts";

const { service, queues, client, names } = withService({ start: ["indexer", "api"] });
const { namespace } = service;

/** Redis loses what it has of this namespace. */
async function emptyRedis(): Promise<void> {
  const keys = [...(await queues.redis.keys(`{${namespace}}:*`)), ...(await queues.redis.keys(`${namespace}:*`))];
  await queues.redis.unlink(keys);
}
type Failed = { total: number; failed: { id: string; reason: string }[] };
const failedList = async () => JSON.parse((await service.ops(["failed", "list", "--json"])).stdout) as Failed;

describe("a Redis that lost its data", () => {
  let key = "";
  beforeAll(async () => {
    key = await service.key("starter");
  });
  const used = async () => {
    const answer = await fetch(`${service.base}/usage`, { headers: { authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { data: { month: { used: number } } }).data.month.used;
  };
  const months = () => createMonthCountBackup(queues.redis, namespace, { client, index: names.accounts });

  test("gets its dead letters back; one that was discarded stays away", { timeout: 180_000 }, async () => {
    await queues.redis.ping();
    const bad = (id: string) =>
      ({ type: "company", id, version: 1, updated_at: "no time", body: { name: "A" } }) as never;
    await queues.send([bad("a"), bad("b"), bad("c")], 1);
    await expect.poll(async () => (await failedList()).total).toBe(3);
    const [first] = (await failedList()).failed;
    expect((await service.ops(["failed", "discard", first!.id])).code).toBe(0);
    await emptyRedis();
    await expect.poll(() => queues.letters()).toHaveLength(2);
    const { failed } = await failedList();
    expect(failed.map(({ id }) => id)).not.toContain(first!.id);
    expect((await service.ops(["failed", "discard", "--all"])).code).toBe(0);
    await createDeadLetterBackup(client, names).restore(queues.queue<DeadLetter>(QUEUES.deadLetters));
    expect(await queues.letters()).toEqual([]);
  });

  test("gets the records of an ingest job back that failed as a whole", async () => {
    const two = (name: string) =>
      [`${name}-1`, `${name}-2`].map(
        (id) => ({ type: "company", id, version: 1, updated_at: "2025-01-01T00:00:00Z", body: { name: id } }) as never,
      );
    const kept = async () => {
      await client.indices.refresh({ index: names.control });
      return (await client.count({ index: names.control, query: { term: { kind: "failed-ingest" } } })).count;
    };
    /** Elasticsearch refuses to look for more than one id at once: no job of several records can be done. */
    const refuseLists = (most: number | null) =>
      client.indices.putSettings({ index: `${namespace}-*`, settings: { "index.max_terms_count": most } });
    const failed = async () => (await failedList()).failed.filter(({ id }) => id.startsWith("ingest/"));

    const failing = async (name: string) => {
      await refuseLists(1);
      await queues.send(two(name), 2);
      await expect.poll(failed).toHaveLength(1);
      await expect.poll(kept).toBe(1);
      return (await failed())[0]!.id;
    };

    const retried = await failing("retried");
    await refuseLists(null);
    expect((await service.ops(["failed", "retry", retried])).code).toBe(0);
    await expect.poll(kept).toBe(0);
    // It is forgotten when it begins again. It has to end before lists are refused again.
    await queues.settled();
    const discarded = await failing("discarded");
    expect((await service.ops(["failed", "discard", discarded])).code).toBe(0);
    expect(await kept()).toBe(0);

    await failing("lost");
    await emptyRedis();
    await refuseLists(null);
    await expect.poll(() => queues.letters(), { timeout: 60_000 }).toHaveLength(2);
    expect(await kept()).toBe(0);
    const { failed: letters } = await failedList();
    expect(letters.every(({ reason }) => reason.includes("max_terms_count"))).toBe(true);
    expect((await service.ops(["failed", "retry", "--all"])).code).toBe(0);
    await expect
      .poll(
        async () =>
          (await client.mget({ index: names.record("company"), ids: ["retried-1", "lost-1", "lost-2"] })).docs,
      )
      .toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ found: true })));
  });

  test("a record that Elasticsearch refuses to keep is reported, and the job that it came with stays", async () => {
    const deep: unknown[] = [];
    // Elasticsearch reads 1,000 levels.
    for (let at = deep, level = 0; level < 1100; level++) at.push((at = []));
    const record = (body: unknown) =>
      ({ type: "company", id: "deep", version: 1, updated_at: "2025-01-01T00:00:00Z", body }) as never;
    const letters = createDeadLetterBackup(client, names);
    const letter = (body: unknown): DeadLetter => ({ what: { kind: "write", write: record(body) }, reason: "a test" });
    const [refused, kept] = [letter({ name: deep }), letter({ name: "kept" })];
    await expect(letters.keep([refused, kept])).rejects.toThrow("refused 1 of 2 dead letters");
    const restored = queues.queue<DeadLetter>("restored");
    expect(await letters.restore(restored)).toBe(1);
    await letters.forget(deadLetterId(kept));

    const jobs = createFailedIngestBackup(client, names);
    const job = { id: "900001", timestamp: 1, data: { records: [record({ name: "A" })] } as IngestJob };
    await jobs.keep(job, "a test");
    const reports: string[] = [];
    const restore = (handOver: (lost: DeadLetter[]) => Promise<void>) =>
      jobs.restore(queues.queue<IngestJob>(QUEUES.ingest), handOver, ({ message }) => reports.push(message));
    await restore(() => letters.keep([refused]));
    expect(reports).toEqual([expect.stringMatching(/ingest job 900001.*refused 1 of 1 dead letters/)]);
    const handedOver: DeadLetter[] = [];
    await restore(async (lost) => void handedOver.push(...lost));
    await restore(async (lost) => void handedOver.push(...lost));
    expect(handedOver).toHaveLength(1);
    expect(reports).toHaveLength(1);
  });

  test("continues the month from the kept count, before the first request is admitted", async () => {
    const ask = () => fetch(`${service.base}/funding`, { headers: { authorization: `Bearer ${key}` } });
    for (let n = 0; n < 3; n++) expect((await ask()).status).toBe(200);
    const handle = handleOfKey(key)!;
    await months().keep([handle]);
    const { month } = accountRedisKeys(namespace, handle);
    await emptyRedis();
    expect((await ask()).status).toBe(200);
    expect(await used()).toBe(4);
    // Went back: an earlier count, without the last reading.
    await months().keep([handle]);
    const older = await queues.redis.hgetall(month);
    expect((await ask()).status).toBe(200);
    await months().keep([handle]);
    await queues.redis.hset(month, older);
    await months().keep([handle]);
    expect(await used()).toBe(5);
    // A refund after the last reading is not a loss.
    await months().keep([handle]);
    await queues.redis.hincrby(month, "used", -2);
    await months().restoreAll();
    expect(await used()).toBe(3);
    // The same for the pool of the dashboard.
    await queues.redis.hset(month, "own", 7);
    await months().keep([handle]);
    await emptyRedis();
    await months().restoreAll();
    expect(await queues.redis.hmget(month, "used", "own")).toEqual(["3", "7"]);
  });

  test("and has no replica: an ingest that asks for one fails and says so", async () => {
    service.env["TRANCHE_REDIS_REPLICAS_TO_WAIT"] = "1";
    const ran = await service.ops(["ingest", "-"], '{"type":"company","id":"x","name":"X"}\n');
    delete service.env["TRANCHE_REDIS_REPLICAS_TO_WAIT"];
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("Only 0 of the 1 replicas of Redis");
  });
});
