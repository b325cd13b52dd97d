import { accountRedisKeys } from "./redis-keys.ts";
import type { RedisClient } from "../engines/redis/connect.ts";
import { inOneWrite, isReachable } from "../engines/redis/nodes.ts";

/** How many are kept of an account, and for how long. */
export const MAX_RECENT_ERRORS = 100;
export const RECENT_ERROR_DAYS = 7;
const KEEP_SECONDS = RECENT_ERROR_DAYS * 86_400;

/** A request with a valid key that was refused or failed. It holds no key. */
export type RecentError = {
  /** ISO time. */
  at: string;
  method: string;
  /** Path and query, at most 500 characters. */
  url: string;
  status: number;
  /** Pattern of the path, `other` where there is none; missing in errors of earlier versions. */
  route?: string;
  code: string;
  /** The parameter that is at fault, if one is. */
  parameter?: string;
  /** The message that the caller got, at most 300 characters. */
  message: string;
  request_id: string;
  key_id: string;
};

export type RecentErrors = {
  /** Adds errors of accounts, the oldest first. Returns the accounts whose errors were not sent, because their Redis is away. */
  add(errors: ReadonlyMap<string, readonly RecentError[]>): Promise<string[]>;
  /** Those of an account, the newest first. `now` in ms. */
  read(account: string, now: number): Promise<RecentError[]>;
};

/** Kept in Redis: one list per account. */
export function createRecentErrors(redis: RedisClient, namespace: string): RecentErrors {
  return {
    async add(errors) {
      const kept: string[] = [];
      const send = ([account, added]: [string, readonly RecentError[]]): Promise<unknown>[] => {
        const key = accountRedisKeys(namespace, account).errors;
        if (!isReachable(redis, key)) {
          kept.push(account);
          return [];
        }
        return [
          redis.lpush(key, ...added.map((error) => JSON.stringify(error))),
          redis.ltrim(key, 0, MAX_RECENT_ERRORS - 1),
          redis.expire(key, KEEP_SECONDS),
        ];
      };
      await Promise.allSettled(inOneWrite(redis, () => [...errors].flatMap(send)));
      return kept;
    },
    async read(account, now) {
      const kept = await redis.lrange(accountRedisKeys(namespace, account).errors, 0, -1);
      const since = new Date(now - KEEP_SECONDS * 1000).toISOString();
      // Several processes write, so they may be a little out of order.
      return kept
        .map((text) => JSON.parse(text) as RecentError)
        .filter(({ at }) => at >= since)
        .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
    },
  };
}
