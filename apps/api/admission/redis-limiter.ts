import { randomUUID } from "node:crypto";
import { unavailable } from "../errors/api-error.ts";
import { RedisAway } from "../redis/silence-timeout.ts";
import { ADVANCE_LEASE_MS, createAdvance } from "./advance.ts";
import { type CallerRequest, type Charged, type FurtherCharge, noteAccount } from "./charge.ts";
import type { CopyCaller } from "./copy-caller.ts";
import type { Counters } from "./counters.ts";
import type { Credentials } from "./credentials.ts";
import type { Counted, Decision } from "./decision.ts";
import type { KnownCallers } from "./known-callers.ts";
import type { PriceList } from "./price-list.ts";
import { faultyKey, lostCopy, missingPlan } from "./refusals.ts";

/** Decides and charges a request in Redis. Throws when the key does not work, and RedisAway when Redis does not answer in time. */
export type RedisLimiter = (request: CallerRequest, credentials: Credentials, priceList: PriceList) => Promise<Charged>;

/** Redis decides by hot copies of keys. A key without one is read from Elasticsearch and copied first. `now` in ms. */
export function createRedisLimiter(parts: {
  counters: Counters;
  copyToRedis: CopyCaller;
  known: KnownCallers;
  now: () => number;
  advanceLeaseMs?: number;
}): RedisLimiter {
  const { counters, copyToRedis, known, now, advanceLeaseMs: leaseMs = ADVANCE_LEASE_MS } = parts;

  const charged = (request: CallerRequest, { handle, hash }: Credentials, decision: Decision): Charged => {
    if (decision.verdict === "no_plan") throw missingPlan(handle, decision.plan);
    if (decision.verdict === "unknown") throw lostCopy();
    if (!("limits" in decision)) {
      known.forget(hash);
      noteAccount(request, handle);
      throw faultyKey(decision.verdict);
    }
    const { verdict, keyId, plan, expiresAt, limits, counted } = decision;
    known.note(hash, { handle, keyId, plan, expiresAt, checkedAt: now(), limits });
    // Sent once: a refund whose reply was lost may have been made, and must not be made twice.
    const refund = (of: Counted) => counters.refund(handle, of).catch(() => {});
    const further = async (count: number, undelivered?: () => number): Promise<FurtherCharge> => {
      const inMonth = { ends: counted.ends, quota: limits.month.limit };
      const lease = undelivered && { id: randomUUID(), leaseMs };
      const month = await counters.chargeMore(handle, inMonth, count, lease).catch((error: unknown) => {
        // It may have been counted. The caller gets a 503, and its next request is charged by this process. An advance expires.
        if (error instanceof RedisAway) throw unavailable(error);
        throw error;
      });
      const after = { ...limits, month: { ...limits.month, used: month.used, resetsAt: month.ends * 1000 } };
      known.note(hash, { handle, keyId, plan, expiresAt, checkedAt: now(), limits: after });
      const advance =
        lease &&
        month.charged &&
        createAdvance((left, back) => counters.settleAdvance(handle, lease, left, back), undelivered, leaseMs);
      return {
        charged: month.charged,
        limits: after,
        async refund(part) {
          if (advance) return advance.end(part);
          if (part === 0) return;
          await refund({ month: part, ends: month.ends });
        },
      };
    };
    const { month, own = false } = counted;
    const charge = {
      handle,
      keyId,
      keyHash: hash,
      limits,
      month,
      own,
      refund: (requests: number) => refund({ ...counted, month: requests }),
      further,
    };
    return { by: "redis", verdict, planId: plan, charge };
  };

  return async (request, credentials, { prices }) => {
    let decision = await counters.decide(credentials, prices);
    if (decision.verdict === "unknown") {
      await copyToRedis(request, credentials);
      decision = await counters.decide(credentials, prices);
    }
    return charged(request, credentials, decision);
  };
}
