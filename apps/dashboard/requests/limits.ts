import { hash } from "node:crypto";
import { network } from "@tranche/http/server/network";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { tooMany } from "@tranche/http/errors/page-error";

/** How often something may be done: `points` times in `duration` seconds. `refusal` says what was too much. */
const LIMITS = {
  /** Sign-in mails to one e-mail address. */
  mails_to: { points: 5, duration: 900, refusal: "Too many mails were asked for to this e-mail address." },
  /** Mails that one IP address asks for. */
  mails_from: { points: 20, duration: 900, refusal: "Too many mails were asked for from this IP address." },
  /** Views and uses of links from one IP address. */
  links_from: { points: 100, duration: 900, refusal: "Too many links were tried from this IP address." },
  /** Applications that one IP address registers. */
  registrations_from: {
    points: 20,
    duration: 86_400,
    refusal: "20 applications were registered from this IP address within a day.",
  },
  /** Codes and refresh tokens of one application that are exchanged. Each makes an access token that is stored. */
  exchanges_of: {
    points: 30,
    duration: 60,
    refusal: "30 codes and refresh tokens of this application were exchanged within a minute.",
  },
  /** Ends of follows from one IP address: mail providers send those of many people. */
  unsubscribes_from: { points: 1000, duration: 900, refusal: "Too many links were tried from this IP address." },
  /** Mails that one account has sent to members. */
  mails_of_account: { points: 50, duration: 86_400, refusal: "This account has sent 50 invitations within a day." },
  /** Changes that one account makes, or that one member makes to take something away. */
  changes_of: { points: 60, duration: 60, refusal: "60 changes were made within a minute." },
  /** Follows that one member of an account begins. Each has limits of its own, which ending it must not reset too often. */
  follows_of: {
    points: 100,
    duration: 86_400,
    refusal: "You began to follow 100 things within a day, and those that you ended count, too.",
  },
  /** Mails about webhooks, to one e-mail address and for one account. */
  webhook_mails_to: {
    points: 20,
    duration: 86_400,
    refusal: "20 mails about webhooks went to this e-mail address within a day.",
  },
  webhook_mails_of_account: {
    points: 100,
    duration: 86_400,
    refusal: "100 mails about webhooks went to this account within a day.",
  },
  /** Messages that members of one account have sent to receivers of webhooks: challenges, tests and earlier deliveries. */
  messages_of_account: {
    points: 30,
    duration: 60,
    refusal: "30 messages were sent to receivers of this account within a minute.",
  },
} as const;

/** Counts what reaches other people, needs no session, or changes something. */
export type Limits = {
  /** Counts once for an e-mail address, IP address or account. Throws `too_many_requests` with `Retry-After`. */
  spend(limit: LimitName, by: string): Promise<void>;
  /** Takes back what was counted for something that did not happen. */
  giveBack(limit: LimitName, by: string): Promise<void>;
};

type LimitName = keyof typeof LIMITS;

/** Counted in Redis, for all processes of the dashboard together. While Redis is away, each process counts for itself. */
export function createLimits(redis: RedisClient, namespace: string): Limits {
  const limiters = new Map(
    Object.entries(LIMITS).map(([name, { points, duration }]) => [
      name,
      new RateLimiterRedis({
        points,
        duration,
        storeClient: redis,
        keyPrefix: `${namespace}:dashboard:${name}`,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory({ points, duration }),
      }),
    ]),
  );
  // A digest, because Redis need not know anybody's address.
  const counted = (limit: LimitName, by: string) =>
    hash("sha256", limit.endsWith("_from") ? network(by) : by, "base64url");
  return {
    async spend(limit, by) {
      try {
        await limiters.get(limit)!.consume(counted(limit, by));
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        throw tooMany(LIMITS[limit].refusal, refused.msBeforeNext / 1000);
      }
    },
    async giveBack(limit, by) {
      await limiters.get(limit)!.reward(counted(limit, by));
    },
  };
}
