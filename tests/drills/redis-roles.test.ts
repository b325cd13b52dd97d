import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RedisCluster, startRedisCluster } from "./redis-cluster-servers.ts";
import { type ReplicatedRedis, startReplicatedRedis } from "./redis-sentinels.ts";
import { ENGINES } from "../support/engines.ts";
import { createRedisRoles, type RedisRoles } from "../support/redis-roles.ts";
import { createService } from "../support/service.ts";

const addressOf = ({ port }: { port: number }): string => `redis://127.0.0.1:${port}`;

/** Redis as several servers, and those that answer the processes. */
const SEVERAL = {
  "a Redis Cluster": {
    start: () => startRedisCluster(() => {}),
    servers: (started: RedisCluster | ReplicatedRedis) => (started as RedisCluster).masters.map(addressOf),
  },
  "Redis behind Sentinels": {
    start: () => startReplicatedRedis(() => {}),
    servers: (started: RedisCluster | ReplicatedRedis) => [addressOf((started as ReplicatedRedis).master)],
  },
};

describe.for(Object.entries(SEVERAL))("with %s", ([, { start, servers }]) => {
  let printed = "";
  const service = createService(
    { elasticsearchUrl: ENGINES.elasticsearchUrl, redisUrl: "" },
    { onOutput: (text) => void (printed += text) },
  );
  let started: RedisCluster | ReplicatedRedis | undefined;
  let roles: RedisRoles;
  beforeAll(async () => {
    started = await start();
    if (started) roles = await createRedisRoles(service.namespace, started.url, servers(started));
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await roles?.close();
    await started?.close();
  });

  test("every process does its work with the rights of infra/roles alone", { timeout: 180_000 }, async (context) => {
    // Engines in containers have no further servers of Redis.
    if (!started) return context.skip("no local Redis to start");
    await service.startIndexer({ REDIS_URL: roles.of("indexer") });
    await service.startApi({ REDIS_URL: roles.of("api") });
    await service.startOperators({ REDIS_URL: roles.of("operators") });
    await service.startDashboard({ REDIS_URL: roles.of("dashboard") });
    service.env["REDIS_URL"] = roles.of("ops");
    const record = { type: "company", id: "c1", name: "Acme", observed_at: "2025-01-01" };
    const ingested = await service.ops(["ingest", "-", "--wait"], JSON.stringify(record));
    expect(ingested.code, ingested.stderr).toBe(0);
    const headers = { Authorization: `Bearer ${await service.key()}` };
    const found = await fetch(`${service.base}/companies`, { headers });
    expect([found.status, await found.json()]).toMatchObject([200, { data: [{ company: { name: "Acme" } }] }]);
    expect((await service.ops(["reindex", "--wait"])).code).toBe(0);
    expect((await fetch(`${service.dashboard}/`)).status).toBe(200);
    expect((await fetch(`${service.operator}/metrics`)).status).toBe(200);
    expect(await roles.refused()).toEqual([]);
    expect(printed).not.toContain("NOPERM");
  });
});
