import type { AccountStore } from "@tranche/shared/accounts/account-store";
import { createDailyUsage } from "@tranche/shared/accounts/daily-usage";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import type { Plans } from "@tranche/shared/accounts/plans";
import type { Logger } from "@tranche/shared/log/logger";
import type { Redis } from "ioredis";
import { type Admit, createAdmit, WITHOUT_REDIS_MS } from "./admit.ts";
import { createCounters } from "./counters.ts";
import { createBadKeys } from "./bad-keys.ts";
import type { Identify } from "./identify.ts";
import type { RedisGateway } from "../redis/gateway.ts";
import { createInTime } from "../redis/in-time.ts";
import { createOutage } from "../redis/outage.ts";
import { createFallbackLimiter } from "./fallback-limiter.ts";
import { createSettle, type Settle } from "./settle.ts";
import { createAtTurnsEnd } from "../redis/turn.ts";
import { createUsageLog } from "./usage-log.ts";

/** With the gateway, for everything else that asks Redis on a request's way. */
export type Admission = RedisGateway & {
  identify: Identify;
  admit: Admit;
  settle: Settle;
  /** Throws when nobody can be let in any more, because Redis has been away for too long. */
  assertOpen: () => void;
  /** Writes what is left of the counts for charts. */
  close: () => Promise<void>;
};

export type AdmissionMetrics = {
  /** One decision, and whether Redis made it or, while that was away, this process. */
  admission: (verdict: string, by: "redis" | "process") => void;
  redisAway: (away: boolean) => void;
};

/** When Redis says nothing for so long, it is away. */
const SILENCE_MS = 100;

/** Keys, bursts and quotas, over a connection of their own. `now`: real time in ms. */
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
    // A connection that is being made is left alone.
    reconnect: () => redis.status === "ready" && redis.disconnect(true),
    async onBack() {
      // Each is sent once: one that was cut off may have been counted.
      const caughtUp = fallback.takeBacklog().map((backlog) => counters.catchUp(backlog));
      await Promise.allSettled(caughtUp);
    },
    tell: metrics.redisAway,
    log,
    now,
  });
  redis.on("close", () => outage.begins(new Error("the connection to Redis was closed")));
  const usage = createUsageLog({ usage: createDailyUsage(redis, namespace), accounts, log, now });
  const { identify, admit } = createAdmit({
    accounts,
    counters,
    inTime,
    outage,
    fallback,
    plans,
    now,
    copies: createHotCopies(redis, namespace),
    badKeys: createBadKeys(),
    observe: metrics.admission,
  });
  const assertOpen = () => {
    if ((outage.lasts() ?? 0) > WITHOUT_REDIS_MS) throw new Error("Redis has been away for more than 5 minutes");
  };
  return { identify, admit, settle: createSettle(usage), inTime, atTurnsEnd, outage, assertOpen, close: usage.close };
}
