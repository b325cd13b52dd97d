import type { Logger } from "@tranche/shared/log/logger";
import type { Redis } from "ioredis";
import { type Coalesce, createCoalescedWrites } from "./coalesced-writes.ts";
import { createOutage, type Outage } from "./outage.ts";
import { createSilenceTimeout, type WithTimeout } from "./silence-timeout.ts";

/** Redis counts as away when it answers nothing for this long. */
const SILENCE_MS = 100;

/** How the steps of a request use Redis: over one connection, within a time limit, and not at all while Redis is away. */
export type RedisGateway = { redis: Redis; outage: Outage; withTimeout: WithTimeout; coalesce: Coalesce };

/** `report`: called when Redis goes away and when it is back. `now`: real time in ms. */
export function createRedisGateway(
  redis: Redis,
  { report, log, now }: { report: (away: boolean) => void; log: Logger; now: () => number },
): RedisGateway {
  const withTimeout = createSilenceTimeout(SILENCE_MS);
  const outage = createOutage({
    ping: async () => void (await withTimeout(redis.ping())),
    // A connection that is being opened is left alone.
    reconnect: () => redis.status === "ready" && redis.disconnect(true),
    report,
    log,
    now,
  });
  redis.on("close", () => outage.begins(new Error("the connection to Redis was closed")));
  return { redis, outage, withTimeout, coalesce: createCoalescedWrites(redis) };
}
