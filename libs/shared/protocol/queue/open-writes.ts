import { readFileSync } from "node:fs";
import type { RedisClient } from "../../engines/redis/connect.ts";
import { queuePrefix } from "../../engines/redis/queue-prefix.ts";
import { QUEUES } from "./queues.ts";

const SCRIPT = readFileSync(new URL("./oldest-open-write.lua", import.meta.url), "utf8");

/** The queues of writes that were accepted, and of what follows from them. */
const OF_WRITES = [QUEUES.ingest, QUEUES.derive, QUEUES.fanout, QUEUES.investors];

/**
 * The Redis key of the time (ms) at which the oldest write was accepted that is not searchable yet; not there when all are. It is one that
 * the API may read, unlike the queues. Whoever enqueues sets it if it is not there, and indexers correct it.
 */
export const openSinceKey = (namespace: string): string => `{${namespace}}:feed:open-since`;

/** The time (ms) of the oldest job of writes that is not done, of the next 500 in each list; null when there is none. */
export async function oldestOpenWrite(redis: RedisClient, namespace: string): Promise<number | null> {
  const since = await findOldest(redis, namespace, []);
  return since === null ? null : Number(since);
}

/** Corrects the key: it has the same time as `oldestOpenWrite`, or is not there. */
export async function correctOpenSince(redis: RedisClient, namespace: string): Promise<void> {
  await findOldest(redis, namespace, [openSinceKey(namespace)]);
}

async function findOldest(redis: RedisClient, namespace: string, corrected: readonly string[]): Promise<string | null> {
  const keysOf = (queue: string) => `${queuePrefix(namespace)}:${queue}:`;
  const lists = OF_WRITES.flatMap((queue) =>
    ["wait", "paused", "active", "delayed"].map((state) => keysOf(queue) + state),
  );
  const keys = [...lists, ...corrected];
  return (await redis.eval(SCRIPT, keys.length, ...keys, ...OF_WRITES.map(keysOf))) as string | null;
}

/** For how many seconds the oldest write waits, of the text at its key; 0 when there is none. `now`: ms. */
export const secondsOpen = (since: string | null, now: number): number =>
  since === null ? 0 : Math.max(0, Math.ceil((now - Number(since)) / 100) / 10);
