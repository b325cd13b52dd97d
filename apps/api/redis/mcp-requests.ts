import { monthOf } from "@tranche/shared/accounts/daily-usage";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import type { RedisGateway } from "./gateway.ts";
import { orNone } from "./unless-away.ts";

/** Reads how many requests of an account came to `/mcp` in the month of a time (ms); null while Redis is away. */
export function createReadMcpRequests(
  { redis, nodeStateOf }: Pick<RedisGateway, "redis" | "nodeStateOf">,
  namespace: string,
) {
  return async (account: string, at: number): Promise<number | null> => {
    const key = accountRedisKeys(namespace, account).mcpUsage(monthOf(isoDay(dayOfTime(at))));
    const { withTimeout, outage } = nodeStateOf(key);
    const found = await orNone(outage, () => withTimeout(redis.get(key)));
    return found === undefined ? null : Number(found);
  };
}
