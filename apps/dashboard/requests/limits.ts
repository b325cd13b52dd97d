import { hash } from "node:crypto";
import { network } from "@tranche/http/server/network";
import type { RedisClient } from "@tranche/shared/redis/connect";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { DashboardError } from "../errors/dashboard-error.ts";

/** How often something may be done: `points` times in `duration` seconds. */
const LIMITS = {
  /** Sign-in mails to one e-mail address. */
  mails_to: { points: 5, duration: 900 },
  /** Mails that one IP address asks for. */
  mails_from: { points: 20, duration: 900 },
  /** Views and uses of links from one IP address. */
  links_from: { points: 100, duration: 900 },
  /** Mails that one account has sent to members. */
  mails_of_account: { points: 50, duration: 86_400 },
  /** Messages that members of one account have sent to receivers of webhooks: challenges, tests and earlier deliveries. */
  messages_of_account: { points: 30, duration: 60 },
} as const;

/** Counts requests that reach other people, or that need no session. */
export type Limits = {
  /** Counts once for an e-mail address, IP address or account. Throws `too_many_requests` with `Retry-After`. */
  spend(limit: keyof typeof LIMITS, by: string): Promise<void>;
};

/** Counted in Redis, for all processes of the dashboard together. While Redis is away, each process counts for itself. */
export function createLimits(redis: RedisClient, namespace: string): Limits {
  const limiters = new Map(
    Object.entries(LIMITS).map(([name, limit]) => [
      name,
      new RateLimiterRedis({
        ...limit,
        storeClient: redis,
        keyPrefix: `${namespace}:dashboard:${name}`,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory(limit),
      }),
    ]),
  );
  return {
    async spend(limit, by) {
      const counted = limit.endsWith("_from") ? network(by) : by;
      try {
        // A digest, because Redis need not know anybody's address.
        await limiters.get(limit)!.consume(hash("sha256", counted, "base64url"));
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
        throw new DashboardError("too_many_requests", "This was tried too often.", {
          headers: { "Retry-After": String(seconds) },
        });
      }
    },
  };
}
