import type { Plan } from "@tranche/shared/accounts/plans";
import { ApiError } from "../errors/api-error.ts";
import { RedisAway } from "../redis/silence-timeout.ts";
import type { NodeState } from "../redis/gateway.ts";
import { awayFor } from "../redis/unless-away.ts";
import type { BadKeys } from "./bad-keys.ts";
import { type CallerRequest, type Charged, recordCharge } from "./charge.ts";
import type { Credentials } from "./credentials.ts";
import type { Identify } from "./identify.ts";
import type { LimitStatus } from "./limit-status.ts";
import { type Cost, createPriceLists, type PriceList, type RefusalOf } from "./price-list.ts";
import type { RedisLimiter } from "./redis-limiter.ts";
import { costsTooMuch, quotaExceeded, rateLimited } from "./refusals.ts";
import type { WithoutRedis } from "./without-redis.ts";
import type { Plans } from "@tranche/shared/accounts/plans";

export type Admitted = {
  /** The account's handle. */
  account: string;
  planId: string;
  plan: Plan;
  limits: LimitStatus;
};

/**
 * Admits and charges a request, or throws its refusal. The order is fixed: key, burst, parameters, quota. So a refused request costs
 * no quota, and a caller with a bad key learns nothing about parameters. `cost`: one request of the quota by default. A request that
 * was not identified before is identified first.
 */
export type Admit = (request: CallerRequest, refusalOf: RefusalOf, cost?: Cost) => Promise<Admitted>;

/** The cost of a list, a look-up or a search, and that of what costs no quota. */
export const ONE_OF_OWN: Cost = { requests: 1, own: true };
export const NO_QUOTA: Cost = { requests: 0 };
const ONE: Cost = { requests: 1 };

/** During an outage of Redis, known keys are admitted for this long. */
export const WITHOUT_REDIS_MS = 5 * 60_000;

export function createAdmit(parts: {
  identify: Identify;
  limiter: RedisLimiter;
  withoutRedis: WithoutRedis;
  nodeStateOfAccount: (handle: string) => Pick<NodeState, "outage">;
  badKeys: BadKeys;
  plans: () => Plans;
  /** Counts a decision, for operators. */
  observe: (verdict: string, by: "redis" | "process") => void;
}): Admit {
  const { identify, limiter, withoutRedis, nodeStateOfAccount, badKeys, observe } = parts;
  const priceListOf = createPriceLists(parts.plans);

  const charge = async (request: CallerRequest, credentials: Credentials, priceList: PriceList): Promise<Charged> => {
    const { outage } = nodeStateOfAccount(credentials.handle);
    const lasts = outage.lasts();
    if (lasts !== undefined) {
      if (lasts <= WITHOUT_REDIS_MS) return withoutRedis(request, credentials, priceList);
      throw awayFor(lasts);
    }
    try {
      return await limiter(request, credentials, priceList);
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error;
      outage.begins(error);
      return withoutRedis(request, credentials, priceList, "counted");
    }
  };

  return async (request, refusalOf, cost = ONE) => {
    const credentials = await identify(request);
    const priceList = priceListOf(refusalOf, cost);
    let charged: Charged;
    try {
      charged = await charge(request, credentials, priceList);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "unauthorized") throw error;
      observe("unauthorized", "process");
      throw await badKeys.refuse(request.ip, error);
    }
    const { by, verdict, planId } = charged;
    const { handle, limits } = charged.charge;
    recordCharge(request, charged.charge);
    observe(verdict, by);
    const { plan, refusal } = priceList.terms.get(planId)!;
    if (verdict === "rate_limited") throw rateLimited(plan, limits);
    if (verdict === "quota_exceeded")
      throw cost.requests > 1
        ? costsTooMuch(plan, limits, { what: "This request", cost: cost.requests })
        : quotaExceeded(plan, limits);
    if (refusal) throw refusal;
    return { account: handle, planId, plan, limits };
  };
}
