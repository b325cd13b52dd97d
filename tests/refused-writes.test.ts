import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { NO_LOCAL_REDIS, openRedisServers } from "./drills/redis-servers.ts";
import { deleteNamespace } from "./support/namespace.ts";
import { openQueues, type Queues } from "./support/queues.ts";
import { createService, freePort, type Service } from "./support/service.ts";
import { company } from "./support/writes.ts";

// A server of its own: all tests share the other one.
const servers = await openRedisServers(() => {});
const server = servers?.add(await freePort(), []);
await server?.start();
if (!server) console.log(`left out: writes that Redis refuses, because ${NO_LOCAL_REDIS}`);

const REFUSED_MS = 12_000;

describe.skipIf(!server)("while Redis answers and refuses writes", () => {
  let [service, queues, operator] = [] as unknown as [Service, Queues, Redis];

  beforeAll(() => {
    service = createService({ elasticsearchUrl: inject("elasticsearchUrl"), redisUrl: server!.url });
    queues = openQueues(server!.url, service.namespace);
    operator = new Redis(server!.url);
  });
  afterAll(async () => {
    await service.stop();
    await queues.close();
    operator.disconnect();
    await deleteNamespace({ elasticsearchUrl: inject("elasticsearchUrl"), redisUrl: server!.url }, service.namespace);
    await servers!.close();
  });

  test.each([
    { setting: "maxmemory", words: "its memory is full" },
    // Up to Redis 6 it does not keep scripts from writing, so not every command meets it.
    { setting: "min-replicas-to-write", words: "" },
  ])("by $setting, callers are answered, and jobs and commands wait", async ({ setting, words }) => {
    const port = await freePort();
    const indexer = await service.startIndexer({ TRANCHE_INDEXER_PORT: String(port) });
    const api = await service.startApi();
    const key = await service.key();
    const statuses = async (count: number) => {
      const found = new Set<number>();
      for (let n = 0; n < count; n++) {
        const answer = await fetch(`${service.base}/companies?limit=1&min_round_count=${n}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        found.add(answer.status);
      }
      return [...found];
    };
    expect(await statuses(3)).toEqual([200]);
    const writes = Array.from({ length: 3000 }, (_, n) => company(1, `${setting}-${n}`));
    await queues.send(writes, 50);
    await operator.config("SET", setting, "1");

    expect(await statuses(20)).toEqual([200]);
    const file = `{"op":"upsert","type":"company","id":"${setting}-file","name":"From a File","country":"US"}\n`;
    const ingested = service.ops(["ingest", "-", "--wait"], file);
    await expect
      .poll(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status, { timeout: REFUSED_MS })
      .toBe(503);
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
    expect(await service.ops(["status"])).toMatchObject({ code: 0, stdout: expect.stringContaining(words) });
    // Longer than the lock of a job lasts.
    await pause(REFUSED_MS);
    expect(await statuses(20)).toEqual([200]);

    await operator.config("SET", setting, "0");
    expect(await ingested).toMatchObject({ code: 0, stderr: expect.stringContaining(words) });
    await queues.settled();
    expect(await queues.failedJobs()).toEqual([]);
    expect(await queues.letters()).toEqual([]);
    const answer = await fetch(`${service.base}/companies?q=${setting}&limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
    const verified = await service.ops(["verify"]);
    expect(verified).toMatchObject({ code: 0 });
    for (const each of [indexer, api]) each.kill("SIGTERM");
  });
});
