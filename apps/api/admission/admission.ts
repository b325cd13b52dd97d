import type { AccountStore } from "@tranche/shared/accounts/account-store";
import { createDailyUsage } from "./daily-usage.ts";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import type { Plans } from "@tranche/shared/accounts/plans";
import type { Logger } from "@tranche/shared/log/logger";
import type { Redis } from "ioredis";
import type { RedisGateway } from "../redis/gateway.ts";
import { createInTime } from "../redis/in-time.ts";
import { createOutage } from "../redis/outage.ts";
import { createAtTurnsEnd } from "../redis/turn.ts";
import { type Admit, createAdmit, WITHOUT_REDIS_MS } from "./admit.ts";
import { createBadKeys } from "./bad-keys.ts";
import { createCallerReader } from "./caller-reader.ts";
import { createCounters } from "./counters.ts";
import { createFallbackLimiter } from "./fallback-limiter.ts";
import { createIdentify, type Identify } from "./identify.ts";
import { createKnownCallers } from "./known-callers.ts";
import { createRedisLimiter } from "./redis-limiter.ts";
import { createSettle, type Settle } from "./settle.ts";
import { createUsageLog } from "./usage-log.ts";
import { createWithoutRedis } from "./without-redis.ts";

/** Includes the Redis gateway, for the other parts of a request that use Redis. */
export type Admission = RedisGateway & {
  identify: Identify;
  admit: Admit;
  settle: Settle;
  /** Throws when Redis has been away for so long that no request is admitted. */
  assertOpen: () => void;
  /** Writes the counts for charts that are not written yet. */
  close: () => Promise<void>;
};

export type AdmissionMetrics = {
  /** One decision, and whether Redis made it or, during an outage, this process. */
  admission: (verdict: string, by: "redis" | "process") => void;
  redisAway: (away: boolean) => void;
};

/** Redis counts as away when it answers nothing for this long. */
const SILENCE_MS = 100;

/** Checks keys, bursts and quotas. `now`: real time in ms. */
export function createAdmission(parts: {
  redis: Redis;
  namespace: string;
  accounts: AccountStore;
  plans: () => Plans;
  /** API processes in all. */
  processes: number;
  metrics: AdmissionMetrics;
  log: Logger;
  now: () => number;
}): Admission {
  const { redis, namespace, accounts, plans, metrics, log, now } = parts;
  const inTime = createInTime(SILENCE_MS);
  const atTurnsEnd = createAtTurnsEnd(redis);
  const counters = createCounters(redis, namespace, { inTime, atTurnsEnd });
  const fallback = createFallbackLimiter(parts.processes, now);
  const outage = createOutage({
    ping: counters.ping,
    // A connection that is being opened is left alone.
    reconnect: () => redis.status === "ready" && redis.disconnect(true),
    async onBack() {
      // Each is sent once: a backlog whose reply is lost may have been counted.
      const caughtUp = fallback.takeBacklog().map((backlog) => counters.catchUp(backlog));
      await Promise.allSettled(caughtUp);
    },
    tell: metrics.redisAway,
    log,
    now,
  });
  redis.on("close", () => outage.begins(new Error("the connection to Redis was closed")));
  const usage = createUsageLog({ usage: createDailyUsage(redis, namespace), accounts, log, now });
  const badKeys = createBadKeys();
  const readCaller = createCallerReader(accounts);
  const known = createKnownCallers(readCaller, now);
  const refused = () => metrics.admission("unauthorized", "process");
  const identify = createIdentify({ badKeys, known, counters, outage, refused });
  const copies = createHotCopies(redis, namespace);
  const admit = createAdmit({
    identify,
    limiter: createRedisLimiter({ counters, copies, inTime, readCaller, known, badKeys, now }),
    withoutRedis: createWithoutRedis(known, fallback),
    outage,
    badKeys,
    plans,
    observe: metrics.admission,
  });
  const assertOpen = () => {
    if ((outage.lasts() ?? 0) > WITHOUT_REDIS_MS) throw new Error("Redis has been away for more than 5 minutes");
  };
  return { identify, admit, settle: createSettle(usage), inTime, atTurnsEnd, outage, assertOpen, close: usage.close };
}
