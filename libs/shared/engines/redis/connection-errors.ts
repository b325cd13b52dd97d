import { Cluster, type Redis } from "ioredis";
import { setTimeout as pause } from "node:timers/promises";
import type { RedisClient } from "./connect.ts";
import { TooLate, withTimeLimit } from "../../process/time-limit.ts";
import { mastersOf } from "./nodes.ts";
import { REFUSED, refusalText, refusesWrites } from "./refused-writes.ts";

const ANSWER_WITHIN_MS = 2000;
const LOOK_EVERY_MS = 20;

/**
 * Calls `tell` with each error of a connection, in words: also with those of Sentinels and of single nodes of a Cluster, and when Redis
 * begins to refuse writes.
 */
export function onConnectionError(redis: RedisClient, tell: (reason: string) => void): { stop: () => void } {
  const listeners: [event: string, listener: (error: Error, node?: string) => void][] = [
    ["error", (error) => tell(connectionErrorText(error))],
    [REFUSED, (error) => tell(connectionErrorText(error))],
    ["sentinelError", (error) => tell(connectionErrorText(error))],
    ["node error", (error, node) => tell(`${node}: ${connectionErrorText(error)}`)],
  ];
  for (const [event, listener] of listeners) redis.on(event, listener);
  return {
    stop: () => {
      for (const [event, listener] of listeners) redis.off(event, listener);
    },
  };
}

/** An error of ioredis in words that say what to do, where the cause is known. */
export function connectionErrorText(error: Error): string {
  const { message } = error;
  if (message.includes("No such master")) return "the Sentinels know no master of the name after '#' in REDIS_URL";
  const [, lastReason] = /^All sentinels are unreachable.*?(?: Last error: (.*))?$/.exec(message) ?? [];
  if (lastReason && isRefused(lastReason))
    return `the Sentinels refuse sentinel_user or sentinel_password (${lastReason})`;
  if (lastReason) return `no Sentinel answers (${lastReason})`;
  const [, sentinel] = /^connected to sentinel (\S+) successfully, but got an invalid reply/.exec(message) ?? [];
  if (sentinel) return `Sentinel ${sentinel} knows no master of the name after '#' in REDIS_URL`;
  const [, asked, reason = ""] = /^failed to connect to sentinel (\S+) because (.*)/.exec(message) ?? [];
  if (asked && isRefused(reason)) return `Sentinel ${asked} refuses sentinel_user or sentinel_password (${reason})`;
  if (asked) return `Sentinel ${asked} does not answer (${reason})`;
  if (refusesWrites(error)) return refusalText(message);
  if (isRefused(message)) return `Redis refuses the user or the password of REDIS_URL (${message})`;
  if (message.includes("cluster support disabled")) return "it is not a node of a Cluster: use redis:// for it";
  const last = (error as { lastNodeError?: Error }).lastNodeError;
  return last ? `no node of the Cluster answers (${connectionErrorText(last)})` : message;
}

const isRefused = (message: string) => /\b(NOAUTH|WRONGPASS|NOPERM)\b|invalid username-password/.test(message);

/**
 * Resolves when the Redis that serves `key` answers. Rejects after 2 s with the last error, in words. On a Cluster the other masters
 * are connected to as well, but may be away.
 */
export async function reachRedis(redis: RedisClient, key: string): Promise<void> {
  let last: string | undefined;
  const listening = onConnectionError(redis, (reason) => (last = reason));
  const late = new AbortController();
  const reached = async () => {
    await answers(redis, key, late.signal);
    await Promise.allSettled(mastersOf(redis).map((node) => node.ping()));
  };
  try {
    await withTimeLimit(reached(), ANSWER_WITHIN_MS);
  } catch (error) {
    throw error instanceof TooLate && last !== undefined ? new Error(last, { cause: error }) : error;
  } finally {
    late.abort();
    listening.stop();
  }
}

async function answers(redis: RedisClient, key: string, late: AbortSignal): Promise<void> {
  if (redis.status === "wait") await redis.connect();
  while (redis.status !== "ready") await pause(LOOK_EVERY_MS, undefined, { signal: late });
  if (!(redis instanceof Cluster)) await assertMode(redis);
  await redis.exists(key);
}

/** A node of a Cluster, and a Sentinel, answer too, but nothing works on them as on a single Redis. */
async function assertMode(redis: Redis): Promise<void> {
  // Its user may have no right to ask.
  const info = await redis.info("server").catch(() => "");
  const [, mode] = /^redis_mode:(\w+)/m.exec(info) ?? [];
  if (mode === "cluster") throw new Error("it is a node of a Redis Cluster: use redis-cluster:// for it");
  if (mode === "sentinel") throw new Error("it is a Sentinel: use redis-sentinel://…#name-of-the-master for it");
}
