import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startRedisCluster } from "./redis-cluster-servers.ts";
import { NO_LOCAL_REDIS, openRedisServers } from "./redis-servers.ts";
import { ENGINES } from "../support/engines.ts";
import { deleteIndices } from "../support/namespace.ts";
import { openQueues, type Queues } from "../support/queues.ts";
import { createService, freePort, type Service } from "../support/service.ts";
import { company } from "../support/writes.ts";

// Servers of their own: all tests share the other one.
const servers = await openRedisServers(() => {});
const server = servers?.add(await freePort(), []);
await server?.start();
const cluster = server && (await startRedisCluster(() => {}));
if (!cluster) console.log(`left out: writes that Redis refuses, because ${NO_LOCAL_REDIS}`);
const kinds = [
  { kind: "a single Redis", url: server?.url ?? "", nodes: server ? [server] : [] },
  { kind: "a Redis Cluster", url: cluster?.url ?? "", nodes: cluster?.masters ?? [] },
];
afterAll(() => Promise.all([servers?.close(), cluster?.close()]));

const REFUSED_MS = 12_000;
const MIB = 1 << 20;

describe.skipIf(!cluster).each(kinds)("while $kind answers and refuses writes", ({ url, nodes }) => {
  let [service, queues] = [] as unknown as [Service, Queues];
  const elasticsearchUrl = ENGINES.elasticsearchUrl;

  beforeAll(() => {
    service = createService({ elasticsearchUrl, redisUrl: url });
    queues = openQueues(url, service.namespace);
  });
  afterAll(async () => {
    await service.stop();
    await queues.close();
    await deleteIndices(elasticsearchUrl, service.namespace);
  });
  const onEveryNode = async (work: (operator: Redis) => Promise<unknown>) => {
    for (const node of nodes) {
      const operator = new Redis(node.url);
      await work(operator);
      operator.disconnect();
    }
  };
  const setEverywhere = (setting: string, value: string) =>
    onEveryNode((operator) => operator.config("SET", setting, value));

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
    await setEverywhere(setting, "1");

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

    await setEverywhere(setting, "0");
    expect(await ingested).toMatchObject({ code: 0, stderr: expect.stringContaining(words) });
    if (setting === "maxmemory")
      expect((await ingested).stderr).toContain("Redis takes no writes: its memory is full (maxmemory); give it more");
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

  test("jobs that are added together all come in when memory is full after the first of them", async () => {
    const queue = queues.queue<string>("added-together");
    await queue.waitUntilReady();
    await onEveryNode(async (operator) => {
      const used = Number(/^used_memory:(\d+)/m.exec(await operator.info("memory"))![1]);
      await operator.config("SET", "maxmemory", used + 2 * MIB);
    });
    const added = queue.addBulk(Array.from({ length: 100 }, () => ({ name: "large", data: "x".repeat(MIB / 10) })));
    const count = () => queue.getWaitingCount();
    await expect.poll(count).toBeGreaterThan(0);
    await pause(1500);
    expect(await count()).toBeLessThan(100);
    await setEverywhere("maxmemory", "0");
    expect(await added).toHaveLength(100);
    expect(await count()).toBe(100);
  });
});
