import { Cluster, Command, type Redis } from "ioredis";
import type { RedisClient } from "./connect.ts";

/** The slot of a key in a Cluster, as ioredis calculates it. */
export const slotOf = (key: string): number => new Command("exists", [key]).getSlot();

/** The name of the Cluster node that serves a key (`host:port`); undefined while nobody knows. */
export function nodeNameOf(cluster: Cluster, key: string): string | undefined {
  return cluster.slots[slotOf(key)]?.[0];
}

/** `host:port` of one node. */
export const nameOfNode = ({ options }: Redis): string => `${options.host}:${options.port}`;

/** The connection to the node that serves a key: that of a single Redis, or one of a Cluster. Undefined while nobody knows. */
export function nodeOf(redis: RedisClient, key: string): Redis | undefined {
  if (!(redis instanceof Cluster)) return redis;
  const name = nodeNameOf(redis, key);
  return redis.nodes().find((node) => nameOfNode(node) === name);
}

/** The connections that take writes: of a single Redis, one. */
export const mastersOf = (redis: RedisClient): Redis[] => (redis instanceof Cluster ? redis.nodes("master") : [redis]);

/** Whether a command for a key would be sent at once, as far as this process knows. */
export function isReachable(redis: RedisClient, key: string): boolean {
  const status = nodeOf(redis, key)?.status;
  return status === "ready" || (status === "wait" && redis instanceof Cluster);
}

/** Calls `listen` with each node of a Cluster, now or when it becomes one; with a single Redis once. */
export function onEachNode(redis: RedisClient, listen: (node: Redis) => void): void {
  if (!(redis instanceof Cluster)) return listen(redis);
  for (const node of redis.nodes()) listen(node);
  redis.on("+node", listen);
}

/** Runs `send`, and writes what it sends to each node at once: a write to a socket costs more than what Redis does with it. */
export function inOneWrite<T>(redis: RedisClient, send: () => T): T {
  // There is no stream before the first connection.
  const streams = mastersOf(redis).map((node) => node.stream as Redis["stream"] | undefined);
  for (const stream of streams) stream?.cork();
  try {
    return send();
  } finally {
    for (const stream of streams) stream?.uncork();
  }
}
