import { setTimeout as pause } from "node:timers/promises";
import { slotOf } from "@tranche/shared/engines/redis/nodes";
import { Redis } from "ioredis";
import { EnginesNotFound } from "../../tools/local-engines/engines.ts";
import type { DrillContext, Outcome } from "./drill.ts";
import { REPLICATION_OPTIONS, watchReplication } from "./redis-replication.ts";
import { freeRedisPorts, NO_LOCAL_REDIS, onRedis, openRedisServers, type RedisServerNode } from "./redis-servers.ts";

const MASTERS = 3;
const SLOTS = 16_384;
const FORMS_WITHIN_MS = 60_000;

/** A Redis Cluster on this machine. */
export type RedisCluster = {
  /** As REDIS_URL takes it. */
  url: string;
  masters: readonly RedisServerNode[];
  /** The master of a key, before any failover. */
  masterOf(key: string): RedisServerNode;
  /** The replica of that master; undefined where masters have none. */
  replicaOf(key: string): RedisServerNode | undefined;
  killMasters(): Promise<unknown>;
  startMasters(): Promise<unknown>;
  close(): Promise<void>;
};

const firstSlot = (n: number) => Math.ceil((n * SLOTS) / MASTERS);

/**
 * Starts the Cluster, with data that is thrown away. `replicas`: each master has one. Undefined where no server of Redis runs as a
 * process.
 */
export async function startRedisCluster(
  log: (line: string) => void,
  { replicas = false }: { replicas?: boolean } = {},
): Promise<RedisCluster | undefined> {
  const servers = await openRedisServers(log);
  if (!servers) return undefined;
  const ports = await freeRedisPorts(replicas ? 2 * MASTERS : MASTERS);
  const nodes = ports.map((port) =>
    servers.add(port, [
      ...REPLICATION_OPTIONS,
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
    await Promise.all(nodes.map((node) => node.start()));
    await form(ports);
  } catch (error) {
    await servers.close();
    throw error;
  }
  const [masters, copies] = [nodes.slice(0, MASTERS), nodes.slice(MASTERS)];
  const shardOf = (key: string) => masters.findLastIndex((_, n) => firstSlot(n) <= slotOf(key));
  return {
    url: `redis-cluster://${ports.map((port) => `127.0.0.1:${port}`).join(",")}`,
    masters,
    masterOf: (key) => masters[shardOf(key)]!,
    replicaOf: (key) => copies[shardOf(key)],
    killMasters: () => Promise.all(masters.map((master) => master.kill())),
    startMasters: () => Promise.all(masters.map((master) => master.start())),
    close: () => servers.close(),
  };
}

/** Runs a drill on a Cluster of its own. Throws EnginesNotFound where none can be started. */
export async function onRedisCluster(
  context: DrillContext,
  options: { replicas: boolean },
  work: (context: DrillContext, cluster: RedisCluster) => Promise<Outcome>,
): Promise<Outcome> {
  const cluster = await startRedisCluster(context.say, options);
  if (!cluster)
    throw new EnginesNotFound(
      `A Redis Cluster needs servers of Redis as processes of this machine: ${NO_LOCAL_REDIS}.`,
    );
  try {
    return await work(onRedis(context, cluster), cluster);
  } finally {
    await cluster.close();
  }
}

/** The first ports are those of masters; each further one is the replica of a master, in the same order. */
async function form(ports: readonly number[]): Promise<void> {
  const nodes = ports.map((port) => new Redis(port, "127.0.0.1"));
  const [masters, replicas] = [nodes.slice(0, MASTERS), nodes.slice(MASTERS)];
  try {
    for (const [n, node] of masters.entries()) {
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
    for (const [n, replica] of replicas.entries()) {
      await replica.cluster("REPLICATE", await masters[n]!.cluster("MYID"));
      const replication = watchReplication(ports[n]!, ports[MASTERS + n]!);
      await replication.begun().finally(() => replication.close());
    }
  } finally {
    for (const node of nodes) node.disconnect();
  }
}
