import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { connectRedis } from "./connect.ts";
import { reachRedis } from "./trouble.ts";

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const POLICY = { retryStrategy: () => 10, slotsEveryMs: 1000, connectTimeout: 1000 };

test("a Cluster whose nodes are all away is looked for until one is back", async () => {
  const redis = connectRedis(`redis-cluster://127.0.0.1:${await freePort()},127.0.0.1:${await freePort()}`, undefined, {
    ...POLICY,
    enableOfflineQueue: false,
  });
  const reasons: string[] = [];
  redis.on("error", ({ message }: Error) => reasons.push(message));
  await expect.poll(() => reasons.length, { timeout: 5000 }).toBeGreaterThan(3);
  await expect(reachRedis(redis, "key")).rejects.toThrow("Connection is closed");
  redis.disconnect();
});

test("asking for a Redis that is away leaves no listener behind", async () => {
  const redis = connectRedis(`redis://127.0.0.1:${await freePort()}`, undefined, POLICY);
  redis.on("error", () => {});
  const before = redis.listenerCount("ready");
  await expect(reachRedis(redis, "key")).rejects.toThrow();
  // An attempt to connect that is under way has a listener until it ends.
  await expect.poll(() => redis.listenerCount("ready"), { timeout: 10_000 }).toBe(before);
  redis.disconnect();
});
