import { readFileSync } from "node:fs";
import type { RedisClient } from "../../engines/redis/connect.ts";
import { queuePrefix } from "../../engines/redis/queue-prefix.ts";
import { QUEUES } from "./queues.ts";

const SCRIPT = readFileSync(new URL("./note-open-writes.lua", import.meta.url), "utf8");

/** The queues of writes that were accepted, and of what follows from them. */
const OF_WRITES = [QUEUES.ingest, QUEUES.derive, QUEUES.fanout, QUEUES.investors];

/**
 * The Redis key of the time (ms) at which the oldest write was accepted that is not searchable yet; not there when all are. It is one that
 * the API may read, unlike the queues. Whoever enqueues notes its job if there is no note, and indexers correct the note.
 */
export const openSinceKey = (namespace: string): string => `{${namespace}}:feed:open-since`;

/** Corrects the note: the oldest job that is not done, or none. */
export async function noteOpenWrites(redis: RedisClient, namespace: string): Promise<void> {
  const keysOf = (queue: string) => `${queuePrefix(namespace)}:${queue}:`;
  const lists = OF_WRITES.flatMap((queue) =>
    ["wait", "paused", "active", "delayed"].map((state) => keysOf(queue) + state),
  );
  const keys = [openSinceKey(namespace), ...lists];
  await redis.eval(SCRIPT, keys.length, ...keys, ...OF_WRITES.map(keysOf));
}

/** For how many seconds the oldest write waits, of the text of the note; 0 when there is none. `now`: ms. */
export const secondsOpen = (since: string | null, now: number): number =>
  since === null ? 0 : Math.max(0, Math.ceil((now - Number(since)) / 100) / 10);
