import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { type Replication, REPLICATION_OPTIONS, watchReplication } from "./redis-replication.ts";
import { freeRedisPorts, openRedisServers, type RedisServerNode } from "./redis-servers.ts";

const MASTER = "tranche";
const SENTINELS = 3;
const DOWN_AFTER_MS = 1000;
const READY_WITHIN_MS = 60_000;

/** A master with a replica and three Sentinels, on this machine. */
export type ReplicatedRedis = {
  /** As REDIS_URL takes it. */
  url: string;
  master: RedisServerNode;
  replication: Replication;
  close(): Promise<void>;
};

/** Starts them, with data that is thrown away. Undefined where no server of Redis runs as a process. */
export async function startReplicatedRedis(log: (line: string) => void): Promise<ReplicatedRedis | undefined> {
  const servers = await openRedisServers(log);
  if (!servers) return undefined;
  const [first, second, ...rest] = (await freeRedisPorts(2 + SENTINELS)) as [number, number, ...number[]];
  const [master, replica] = [
    servers.add(first, REPLICATION_OPTIONS),
    servers.add(second, [...REPLICATION_OPTIONS, "--replicaof", "127.0.0.1", String(first)]),
  ];
  const sentinels = rest.map((port) => servers.addSentinel(port, configOf(port, first)));
  const replication = watchReplication(first, second);
  const close = async () => {
    replication.close();
    await servers.close();
  };
  try {
    await master.start();
    await replica.start();
    await replication.begun();
    await Promise.all(sentinels.map((sentinel) => sentinel.start()));
    await Promise.all(rest.map((port) => untilKnown(port)));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `redis-sentinel://${rest.map((port) => `127.0.0.1:${port}`).join(",")}#${MASTER}`,
    master,
    replication,
    close,
  };
}

const configOf = (port: number, master: number): string =>
  [
    `port ${port}`,
    "bind 127.0.0.1",
    `sentinel monitor ${MASTER} 127.0.0.1 ${master} 2`,
    `sentinel down-after-milliseconds ${MASTER} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${MASTER} 10000`,
    "",
  ].join("\n");

/** Waits until a Sentinel knows the replica and the other Sentinels: before that there is no majority for a failover. */
async function untilKnown(port: number): Promise<void> {
  const sentinel = new Redis(port, "127.0.0.1");
  try {
    const end = Date.now() + READY_WITHIN_MS;
    for (;;) {
      const info = await sentinel.info("sentinel");
      if (new RegExp(`slaves=1,sentinels=${SENTINELS}`).test(info)) return;
      if (Date.now() > end) throw new Error(`Sentinel ${port} does not know the others within ${READY_WITHIN_MS} ms`);
      await pause(100);
    }
  } finally {
    sentinel.disconnect();
  }
}
