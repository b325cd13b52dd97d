import { dayOfTime, isoDay } from "../domain/time/day.ts";
import { accountRedisKeys } from "./redis-keys.ts";
import type { RedisClient } from "../engines/redis/connect.ts";
import { inOneWrite, isReachable } from "../engines/redis/nodes.ts";

export const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx"] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

/** How many days are kept, today among them. */
export const USAGE_DAYS = 90;
const KEEP_SECONDS = (USAGE_DAYS + 1) * 86_400;
/** Lines of one write: more at once would keep requests waiting. */
const MAX_LINES = 200;

/** Requests with one key on one day (`YYYY-MM-DD`, UTC) that were answered alike. */
export type UsageLine = { account: string; keyId: string; day: string; status: StatusClass; requests: number };

export type DailyUsage = {
  /** Adds to what is counted; returns the lines that were not sent. A line whose fate is unknown counts as sent: never twice. */
  add(lines: readonly UsageLine[]): Promise<UsageLine[]>;
  /** All that is kept of an account up to the day of `now` (ms), the oldest day first. */
  read(account: string, now: number): Promise<UsageLine[]>;
};

/** Counts of requests for charts, kept in Redis: one hash an account and day, one field a key and class. */
export function createDailyUsage(redis: RedisClient, namespace: string): DailyUsage {
  const keyOf = (account: string, day: string) => accountRedisKeys(namespace, account).usage(day);

  return {
    async add(lines) {
      const kept: UsageLine[] = [];
      const send = (line: UsageLine): Promise<unknown>[] => {
        const { account, keyId, day, status, requests } = line;
        const key = keyOf(account, day);
        if (!isReachable(redis, key)) {
          kept.push(line);
          return [];
        }
        return [redis.hincrby(key, `${keyId}:${status}`, requests), redis.expire(key, KEEP_SECONDS)];
      };
      for (let from = 0; from < lines.length; from += MAX_LINES) {
        const part = lines.slice(from, from + MAX_LINES);
        await Promise.allSettled(inOneWrite(redis, () => part.flatMap(send)));
      }
      return kept;
    },
    async read(account, now) {
      const today = dayOfTime(now);
      const days = Array.from({ length: USAGE_DAYS }, (_, i) => isoDay(today - USAGE_DAYS + 1 + i));
      const counts = await Promise.all(days.map((day) => redis.hgetall(keyOf(account, day))));
      return counts.flatMap((fields, i) =>
        Object.entries(fields).map(([field, requests]) => {
          const [keyId, status] = field.split(":") as [string, StatusClass];
          return { account, keyId, day: days[i]!, status, requests: Number(requests) };
        }),
      );
    },
  };
}
