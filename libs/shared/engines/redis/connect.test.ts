import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Cluster } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { connectRedis } from "./connect.ts";
import { reachRedis } from "./connection-errors.ts";

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The only master of a Cluster. It answers what a client asks first, and leaves GET to the test. */
async function startMaster(onGet: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("data", (data) => {
      for (const [, name] of data.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
        if (name === "get") onGet(socket);
        else socket.write(answers[name!.toLowerCase()] ?? "+OK\r\n");
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const answers: Record<string, string> = {
    hello: "-ERR unknown command 'HELLO'\r\n",
    info: "$9\r\nloading:0\r\n",
    cluster: `*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:${port}\r\n`,
  };
  const vanish = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(vanish);
  return { url: `redis-cluster://127.0.0.1:${port}`, vanish };
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

test("a Cluster that is disconnected while no node is connected ends, and rejects what it was asked", async () => {
  const { url, vanish } = await startMaster(() => vanish());
  const redis = connectRedis(url, undefined, { ...POLICY, retryStrategy: () => 60_000 });
  redis.on("error", () => {});
  const waiting = redis.get("key");
  await expect.poll(() => (redis as Cluster).nodes().map((node) => node.status)).toEqual(["reconnecting"]);
  redis.disconnect();
  await expect(waiting).rejects.toThrow("Connection is closed.");
  expect(redis.status).toBe("end");
});

test("a Cluster that learns of another node while it is being disconnected ends", async () => {
  const elsewhere = await freePort();
  const { url } = await startMaster((socket) => {
    redis.disconnect();
    socket.write(`-MOVED 1 127.0.0.1:${elsewhere}\r\n`);
  });
  const redis = connectRedis(url, undefined, POLICY);
  redis.on("error", () => {});
  const waiting = redis.get("key");
  await once(redis, "end");
  await expect(waiting).rejects.toThrow();
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
