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

/** How a request came: to the API, or from an assistant to `/mcp`. */
export const USAGE_WAYS = ["api", "mcp"] as const;
export type UsageWay = (typeof USAGE_WAYS)[number];

/** Requests with one key on one day (`YYYY-MM-DD`, UTC) that came alike and were answered alike. */
export type UsageLine = {
  account: string;
  keyId: string;
  day: string;
  status: StatusClass;
  way: UsageWay;
  requests: number;
};

export type DailyUsage = {
  /** Adds to what is counted; returns the lines that were not sent. A line whose fate is unknown counts as sent: never twice. */
  add(lines: readonly UsageLine[]): Promise<UsageLine[]>;
  /** All that is kept of an account up to the day of `now` (ms), the oldest day first. */
  read(account: string, now: number): Promise<UsageLine[]>;
};

/** The month of a day, `YYYY-MM`. */
export const monthOf = (day: string): string => day.slice(0, "YYYY-MM".length);

/** Counts of requests for charts, kept in Redis: one hash an account and day, one field a key, class and way; and the month's to `/mcp`. */
export function createDailyUsage(redis: RedisClient, namespace: string): DailyUsage {
  const keyOf = (account: string, day: string) => accountRedisKeys(namespace, account).usage(day);

  return {
    async add(lines) {
      const kept: UsageLine[] = [];
      const send = (line: UsageLine): Promise<unknown>[] => {
        const { account, keyId, day, status, way, requests } = line;
        const key = keyOf(account, day);
        if (!isReachable(redis, key)) {
          kept.push(line);
          return [];
        }
        const add = (field: string) => [redis.hincrby(key, field, requests), redis.expire(key, KEEP_SECONDS)];
        if (way === "api") return add(`${keyId}:${status}`);
        const ofMonth = accountRedisKeys(namespace, account).mcpUsage(monthOf(day));
        return [...add(`${keyId}:${status}:mcp`), redis.incrby(ofMonth, requests), redis.expire(ofMonth, KEEP_SECONDS)];
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
          const [keyId, status, way = "api"] = field.split(":") as [string, StatusClass, UsageWay?];
          return { account, keyId, day: days[i]!, status, way, requests: Number(requests) };
        }),
      );
    },
  };
}
