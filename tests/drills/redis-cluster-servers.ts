import { setTimeout as pause } from "node:timers/promises";
import { slotOf } from "@tranche/shared/redis/nodes";
import { Redis } from "ioredis";
import { freeRedisPorts, openRedisServers, type RedisServerNode } from "./redis-servers.ts";

const MASTERS = 3;
const SLOTS = 16_384;
const FORMS_WITHIN_MS = 60_000;

/** A Redis Cluster of masters without replicas, on this machine. */
export type RedisCluster = {
  /** As REDIS_URL takes it. */
  url: string;
  masters: readonly RedisServerNode[];
  /** The master of a key. */
  masterOf(key: string): RedisServerNode;
  close(): Promise<void>;
};

const firstSlot = (n: number) => Math.ceil((n * SLOTS) / MASTERS);

/** Starts the Cluster, with data that is thrown away. Undefined where no server of Redis runs as a process. */
export async function startRedisCluster(log: (line: string) => void): Promise<RedisCluster | undefined> {
  const servers = await openRedisServers(log);
  if (!servers) return undefined;
  const ports = await freeRedisPorts(MASTERS);
  const masters = ports.map((port) =>
    servers.add(port, [
      "--cluster-enabled",
      "yes",
      "--cluster-node-timeout",
      "2000",
      // One master away is an outage of its slots only.
      "--cluster-require-full-coverage",
      "no",
    ]),
  );
  try {
    await Promise.all(masters.map((master) => master.start()));
    await form(ports);
  } catch (error) {
    await servers.close();
    throw error;
  }
  return {
    url: `redis-cluster://${ports.map((port) => `127.0.0.1:${port}`).join(",")}`,
    masters,
    masterOf: (key) => masters.findLast((_, n) => firstSlot(n) <= slotOf(key))!,
    close: () => servers.close(),
  };
}

async function form(ports: readonly number[]): Promise<void> {
  const nodes = ports.map((port) => new Redis(port, "127.0.0.1"));
  try {
    for (const [n, node] of nodes.entries()) {
      const slots = Array.from({ length: firstSlot(n + 1) - firstSlot(n) }, (_, i) => firstSlot(n) + i);
      await node.cluster("ADDSLOTS", ...slots);
      await node.call("CLUSTER", "SET-CONFIG-EPOCH", n + 1);
    }
    for (const port of ports.slice(1)) await nodes[0]!.cluster("MEET", "127.0.0.1", port);
    const end = Date.now() + FORMS_WITHIN_MS;
    const formed = async (node: Redis) => {
      const info = await node.cluster("INFO");
      return /cluster_state:ok/.test(info) && info.includes(`cluster_slots_ok:${SLOTS}`);
    };
    while (!(await Promise.all(nodes.map(formed))).every(Boolean)) {
      if (Date.now() > end) throw new Error(`the Redis Cluster has not formed within ${FORMS_WITHIN_MS} ms`);
      await pause(100);
    }
  } finally {
    for (const node of nodes) node.disconnect();
  }
}
