import { accountRedisKeys } from "./redis-keys.ts";
import type { RedisClient } from "../engines/redis/connect.ts";

/** Requests of accounts that counted towards their quota this calendar month (UTC), in the order of `handles`. `now`: real time in ms. */
export async function monthUsage(
  redis: RedisClient,
  namespace: string,
  handles: readonly string[],
  now: number,
): Promise<number[]> {
  const read = handles.map((handle) => redis.hmget(accountRedisKeys(namespace, handle).month, "ends", "used"));
  return (await Promise.all(read)).map(([ends, used]) => (Number(ends) * 1000 > now ? Number(used) : 0));
}
