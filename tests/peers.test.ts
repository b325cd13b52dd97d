import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createLogger } from "@tranche/shared/process/logger";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { afterAll, afterEach, expect, test } from "vitest";
import { joinPeers, type Peers, peersKey } from "../apps/api/admission/peers.ts";
import { createCountersConnection } from "../apps/api/redis/connection.ts";
import { createRedisGateway } from "../apps/api/redis/gateway.ts";
import { ENGINES } from "./support/engines.ts";
import { deleteNamespace } from "./support/namespace.ts";

const namespace = `peers${randomBytes(4).toString("hex")}`;
const key = peersKey(namespace);
const log = createLogger("test", "silent");
const connections: RedisClient[] = [];
const joined: Peers[] = [];

/** Joins as a process of its own. */
async function join() {
  const redis = createCountersConnection(ENGINES.redisUrl, undefined);
  redis.on("error", () => {});
  connections.push(redis);
  await once(redis, "ready");
  const gateway = createRedisGateway(redis, { key: namespace, report: () => {}, log, now: Date.now });
  const peers = await joinPeers(gateway, { namespace, atLeast: 1, log });
  joined.push(peers);
  return { peers, gateway, redis };
}

afterEach(async () => {
  for (const peers of joined.splice(0)) await peers.close();
  await connections[0]!.del(key);
});
afterAll(async () => {
  for (const redis of connections) redis.disconnect();
  await deleteNamespace(ENGINES, namespace);
});

test("a process is counted from its start, and by the others with their next announcement", async () => {
  const first = await join();
  expect(first.peers.count()).toBe(1);
  const second = await join();
  // An announcement that is not answered in time is made again after 5 s.
  await expect.poll(() => second.peers.count(), { timeout: 10_000 }).toBe(2);
  await expect.poll(() => first.peers.count(), { timeout: 10_000 }).toBe(2);
});

test("a process that ends is taken out at once, and one that was killed after 30 s", async () => {
  const first = await join();
  const second = await join();
  const [seconds] = await first.redis.time();
  await first.redis.zadd(key, Number(seconds) * 1000 - 1000, "killed");
  await first.redis.zadd(key, Number(seconds) * 1000 + 25_000, "silent");
  const third = await join();
  await expect.poll(() => third.peers.count(), { timeout: 10_000 }).toBe(4);
  await second.peers.close();
  expect(await first.redis.zcard(key)).toBe(3);
  expect(await first.redis.zscore(key, "killed")).toBeNull();
  // The set ends with the last of them.
  expect(await first.redis.pttl(key)).toBeGreaterThan(25_000);
});

test("while Redis is away the last count holds, and nothing is thrown", async () => {
  await join();
  const { peers, gateway, redis } = await join();
  await expect.poll(() => peers.count(), { timeout: 10_000 }).toBe(2);
  redis.disconnect();
  const unheard = await joinPeers(gateway, { namespace, atLeast: 3, log });
  expect(unheard.count()).toBe(3);
  await Promise.all([peers.close(), unheard.close()]);
  expect(peers.count()).toBe(2);
});
