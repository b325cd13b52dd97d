import type { AccountStore, Caller } from "@tranche/shared/accounts/account-store";
import type { HotCopies } from "@tranche/shared/accounts/hot-copies";
import type { Plan, Plans } from "@tranche/shared/accounts/plans";
import { ApiError, unauthorized, unavailable } from "../errors/api-error.ts";
import { engineError } from "../search/search.ts";
import { type Asking, type Charge, noteCharge } from "./charge.ts";
import type { Counters, Decision } from "./counters.ts";
import type { BadKeys } from "./bad-keys.ts";
import type { Credentials } from "./credentials.ts";
import { createIdentify, type Identify } from "./identify.ts";
import { type InTime, RedisAway } from "../redis/in-time.ts";
import { createKnownCallers, type KeyFault } from "./known-callers.ts";
import type { Outage } from "../redis/outage.ts";
import type { FallbackLimiter } from "./fallback-limiter.ts";
import { secondsUntilReset, type LimitStatus } from "./limit-status.ts";
import { createPriceLists, type RefusalOf, type PriceList } from "./price-list.ts";

export type Admitted = {
  /** The account's handle. */
  account: string;
  planId: string;
  plan: Plan;
  limits: LimitStatus;
};

/**
 * Lets a request in or throws what refuses it. The order is fixed: key, burst, parameters, quota, so that a refused
 * request costs no quota and a wrong key learns nothing of parameters. What is `free` costs no quota at all. The request is
 * identified first, if it was not before.
 */
export type Admit = (asking: Asking, refusalOf: RefusalOf, quota?: "free") => Promise<Admitted>;

/** While Redis is away, keys that are known go on for this time. */
export const WITHOUT_REDIS_MS = 5 * 60_000;

/** What was decided of a request with a valid key, and by whom. */
type Charged = {
  by: "redis" | "process";
  verdict: "admitted" | "rate_limited" | "quota_exceeded";
  planId: string;
  charge: Charge;
};

export type AdmissionParts = {
  accounts: Pick<AccountStore, "caller">;
  copies: Pick<HotCopies, "keep">;
  counters: Counters;
  inTime: InTime;
  outage: Outage;
  fallback: FallbackLimiter;
  badKeys: BadKeys;
  plans: () => Plans;
  /** Real time in ms, for the time that Redis, whose clock counts else, is away. */
  now: () => number;
  /** Counts a decision, for operators. */
  observe?: (verdict: string, by: "redis" | "process") => void;
};

export function createAdmit(parts: AdmissionParts): { identify: Identify; admit: Admit } {
  const { counters, outage, fallback, badKeys, now } = parts;
  const read = singleFlight((handle: string, hash: string) =>
    parts.accounts.caller(handle, hash).catch((error: unknown) => {
      throw engineError(error);
    }),
  );
  const known = createKnownCallers(read, now);
  const priceListOf = createPriceLists(parts.plans);

  /** Puts a copy of the key where Redis decides by it. */
  const putCopy = async (asking: Asking, { handle, hash }: Credentials): Promise<void> => {
    // Others from its address may have been refused since it was identified.
    const tooMany = known.has(hash) ? undefined : await badKeys.tooManyFrom(asking.ip);
    if (tooMany) throw tooMany;
    const caller = await read(handle, hash);
    if (!caller) {
      badKeys.noteUnknown(hash);
      throw unauthorized("No such API key.");
    }
    await parts.inTime(parts.copies.keep(caller));
  };

  /** What a decision of Redis comes to. Throws when it lets nobody in. */
  const byRedis = ({ handle, hash }: Credentials, decision: Decision): Charged => {
    if (decision.verdict === "no_plan") throw missingPlan(handle, decision.plan);
    if (decision.verdict === "unknown") throw unavailable(new Error("a key's copy was gone as soon as it was there"));
    if (!("limits" in decision)) {
      known.forget(hash);
      throw unauthorized(FAULTS[decision.verdict]);
    }
    const { verdict, keyId, plan, expiresAt, limits, counted } = decision;
    known.note(hash, { handle, keyId, plan, expiresAt, checkedAt: now(), limits });
    const refund = async (part: { burst: 0 | 1; month: 0 | 1 }) => {
      // Not sent again: it may have been counted, and nothing is given back twice.
      await counters.refund(handle, { ...counted, ...part }).catch(() => {});
    };
    const charge = { handle, keyId, keyHash: hash, limits, burst: counted.burst, month: counted.month, refund };
    return { by: "redis", verdict, planId: plan, charge };
  };

  /** Decided by this process alone; `counted` when Redis was asked before and may have counted the request. */
  const withoutRedis = async (
    { handle, hash }: Credentials,
    priceList: PriceList,
    lasts: number,
    counted = false,
  ): Promise<Charged> => {
    if (lasts > WITHOUT_REDIS_MS)
      throw unavailable(new RedisAway(`Redis has been away for ${Math.round(lasts / 1000)} s`));
    const caller = await known.recent(hash);
    if (!caller) throw unavailable(new RedisAway("Redis is away, and the key is not known to this process"));
    if ("fault" in caller) throw unauthorized(FAULTS[caller.fault]);
    const term = priceList.terms.get(caller.plan);
    if (!term) throw missingPlan(handle, caller.plan);
    const cost = !term.costsQuota ? "free" : counted ? "counted" : "quota";
    const { verdict, limits } = await fallback.decide(caller, term.plan, cost);
    const counts = verdict === "admitted";
    const charge: Charge = {
      handle,
      keyId: caller.keyId,
      keyHash: hash,
      limits,
      burst: counts ? 1 : 0,
      month: counts && cost === "quota" ? 1 : 0,
      refund: (part) => fallback.refund(caller, part),
    };
    return { by: "process", verdict, planId: caller.plan, charge };
  };

  const decide = async (asking: Asking, credentials: Credentials, priceList: PriceList): Promise<Charged> => {
    const { handle, hash } = credentials;
    const lasts = outage.lasts();
    if (lasts !== undefined) return withoutRedis(credentials, priceList, lasts);
    let decision: Decision;
    try {
      decision = await counters.decide(handle, hash, priceList.prices);
      if (decision.verdict === "unknown") {
        await putCopy(asking, credentials);
        decision = await counters.decide(handle, hash, priceList.prices);
      }
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error;
      outage.begins(error);
      return withoutRedis(credentials, priceList, 0, true);
    }
    return byRedis(credentials, decision);
  };

  const works = async ({ handle, hash }: Credentials): Promise<boolean> => {
    if (outage.lasts() !== undefined) return false;
    try {
      return await counters.works(handle, hash);
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error;
      outage.begins(error);
      return false;
    }
  };
  const refused = () => parts.observe?.("unauthorized", "process");
  const identify = createIdentify({ badKeys, isKnown: (hash) => known.has(hash), works, refused });

  const admit: Admit = async (asking, refusalOf, quota) => {
    const credentials = await identify(asking);
    const priceList = priceListOf(refusalOf, quota);
    let charged: Charged;
    try {
      charged = await decide(asking, credentials, priceList);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "unauthorized") throw error;
      refused();
      throw await badKeys.refuse(asking.ip, error);
    }
    const { by, verdict, planId, charge } = charged;
    noteCharge(asking, charge);
    parts.observe?.(verdict, by);
    const { plan, refusal } = priceList.terms.get(planId)!;
    if (verdict === "rate_limited") throw rateLimited(plan, charge.limits);
    if (verdict === "quota_exceeded") throw quotaExceeded(plan, charge.limits);
    if (refusal) throw refusal;
    return { account: charge.handle, planId, plan, limits: charge.limits };
  };
  return { identify, admit };
}

const FAULTS: Record<KeyFault, string> = {
  revoked: "This API key was revoked.",
  expired: "This API key has expired.",
  suspended: "The account of this API key is suspended.",
  deleted: "The account of this API key is deleted.",
};

function missingPlan(handle: string, plan: string): Error {
  return new Error(
    `Account ${handle} has the plan '${plan}', which the plans file lacks: put it back, or change the account's plan.`,
  );
}

function rateLimited(plan: Plan, { at, burst }: LimitStatus): ApiError {
  const seconds = Math.max(1, secondsUntilReset(burst, at));
  const message = `The plan ${plan.name} allows ${plan.burst} requests in 60 seconds. Try again in ${seconds} s.`;
  return new ApiError("rate_limited", message, { headers: { "Retry-After": String(seconds) } });
}

function quotaExceeded(plan: Plan, { at, month }: LimitStatus): ApiError {
  const seconds = Math.max(1, secondsUntilReset(month, at));
  const message = `The ${plan.quota} requests that the plan ${plan.name} has in a calendar month are used up. The next month begins ${new Date(month.resetsAt).toISOString()}.`;
  return new ApiError("quota_exceeded", message, { headers: { "Retry-After": String(seconds) } });
}

/** Of equal readings under way at the same time, only one is made. */
function singleFlight(read: (handle: string, hash: string) => Promise<Caller | undefined>) {
  const underWay = new Map<string, Promise<Caller | undefined>>();
  return (handle: string, hash: string) => {
    const running = underWay.get(hash);
    if (running) return running;
    const fresh = read(handle, hash).finally(() => underWay.delete(hash));
    underWay.set(hash, fresh);
    return fresh;
  };
}
