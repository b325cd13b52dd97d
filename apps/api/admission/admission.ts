import type { AccountStore } from "@tranche/shared/accounts/account-store";
import { createDailyUsage } from "@tranche/shared/accounts/daily-usage";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import type { MonthCountBackup } from "@tranche/shared/accounts/month-count-backup";
import type { Plans } from "@tranche/shared/accounts/plans";
import { accountTag } from "@tranche/shared/accounts/redis-keys";
import { createRecentErrors } from "@tranche/shared/accounts/recent-errors";
import type { Logger } from "@tranche/shared/process/logger";
import type { Timing } from "@tranche/shared/process/timing";
import type { RedisGateway } from "../redis/gateway.ts";
import { type Admit, createAdmit, WITHOUT_REDIS_MS } from "./admit.ts";
import { createBadKeys } from "./bad-keys.ts";
import { createCallerReader } from "./caller-reader.ts";
import { type CheckKey, createCheckKey } from "./check-key.ts";
import { createCopyCaller } from "./copy-caller.ts";
import { createCounters } from "./counters.ts";
import { createErrorLog, type ErrorLog } from "./error-log.ts";
import { createFallbackLimiter } from "./fallback-limiter.ts";
import { createIdentify, type Identify } from "./identify.ts";
import { createKeyLookUps } from "./key-look-ups.ts";
import { createKnownCallers } from "./known-callers.ts";
import { createMonthLog } from "./month-log.ts";
import { createRedisLimiter } from "./redis-limiter.ts";
import { createSettle, type Settle } from "./settle.ts";
import { createUsageLog } from "./usage-log.ts";
import { createWithoutRedis } from "./without-redis.ts";

export type Admission = {
  identify: Identify;
  admit: Admit;
  checkKey: CheckKey;
  settle: Settle;
  /** Records a refused or failed request, which the dashboard shows to the account's members. */
  recordError: ErrorLog["record"];
  /** Throws when Redis has been away for so long that no request is admitted. */
  assertOpen: () => void;
  /** Writes the counts and errors that are not written yet. */
  close: () => Promise<void>;
};

type AdmissionMetrics = {
  /** One decision, and whether Redis made it or, during an outage, this process. */
  admission: (verdict: string, by: "redis" | "process") => void;
};

/** Checks keys, bursts and quotas. `now`: real time in ms. */
export function createAdmission(parts: {
  gateway: RedisGateway;
  namespace: string;
  accounts: AccountStore;
  months: MonthCountBackup;
  plans: () => Plans;
  /** How many API processes there are, on all machines. */
  processes: () => number;
  metrics: AdmissionMetrics;
  log: Logger;
  timing: Timing;
  now: () => number;
}): Admission {
  const { gateway, namespace, accounts, months, plans, metrics, log, timing, now } = parts;
  const { redis } = gateway;
  const nodeStateOfAccount = (handle: string) => gateway.nodeStateOf(accountTag(namespace, handle));
  const counters = createCounters(gateway, namespace);
  const fallback = createFallbackLimiter(parts.processes, now);
  gateway.beforeBack(async (isBack) => {
    const backlogs = fallback.takeBacklog((handle) => isBack(accountTag(namespace, handle)));
    // Each is sent once: a backlog whose reply is lost may have been counted.
    await Promise.allSettled(backlogs.map((backlog) => counters.catchUp(backlog)));
  });
  const usage = createUsageLog({ usage: createDailyUsage(redis, namespace), accounts, log, timing, now });
  const monthLog = createMonthLog({ months, counters, log });
  const errors = createErrorLog({ recent: createRecentErrors(redis, namespace), log, timing, now });
  const badKeys = createBadKeys();
  const readCaller = createCallerReader(accounts);
  const known = createKnownCallers(readCaller, now);
  const refused = () => metrics.admission("unauthorized", "process");
  const copies = createHotCopies(redis, namespace);
  const exists = createKeyLookUps((hashes) => accounts.existing(hashes));
  const copyToRedis = createCopyCaller({ copies, months, nodeStateOfAccount, readCaller, known, badKeys, exists });
  const checkKey = createCheckKey({ counters, copyToRedis, nodeStateOfAccount, badKeys });
  const identify = createIdentify({ badKeys, known, checkKey, refused });
  const admit = createAdmit({
    identify,
    limiter: createRedisLimiter({ counters, copyToRedis, known, now }),
    withoutRedis: createWithoutRedis(known, fallback),
    nodeStateOfAccount,
    badKeys,
    plans,
    observe: metrics.admission,
  });
  const assertOpen = () => {
    if ((gateway.allAwayFor() ?? 0) > WITHOUT_REDIS_MS) throw new Error("Redis has been away for more than 5 minutes");
  };
  return {
    identify,
    admit,
    checkKey,
    settle: createSettle({
      record(caller, status, way) {
        usage.record(caller, status, way);
        monthLog.record(caller.handle);
      },
    }),
    recordError: errors.record,
    assertOpen,
    close: async () => void (await Promise.all([usage.close(), monthLog.close(), errors.close()])),
  };
}
