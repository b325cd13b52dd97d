import { unavailable } from "../errors/api-error.ts";
import { RedisAway } from "../redis/silence-timeout.ts";
import { type CallerRequest, type Charged, noteAccount } from "./charge.ts";
import type { Credentials } from "./credentials.ts";
import type { FallbackLimiter } from "./fallback-limiter.ts";
import type { KnownCallers } from "./known-callers.ts";
import type { PriceList } from "./price-list.ts";
import { faultyKey, missingPlan } from "./refusals.ts";

/**
 * Decides and charges a request in this process. Throws `unavailable` when the key is not known here. `counted`: Redis may have
 * counted the request before its reply was lost, so it is not counted again when Redis is back.
 */
export type WithoutRedis = (
  request: CallerRequest,
  credentials: Credentials,
  priceList: PriceList,
  counted?: "counted",
) => Promise<Charged>;

export function createWithoutRedis(known: KnownCallers, fallback: FallbackLimiter): WithoutRedis {
  return async (request, credentials, { terms }, counted) => {
    const { handle, hash } = credentials;
    const caller = await known.recent(hash);
    if (!caller) throw unavailable(new RedisAway("Redis is away, and the key is not known to this process"));
    if ("fault" in caller) {
      noteAccount(request, handle);
      throw faultyKey(caller.fault);
    }
    const planTerms = terms.get(caller.plan);
    if (!planTerms) throw missingPlan(handle, caller.plan);
    const { plan, cost } = planTerms;
    const { verdict, limits } = await fallback.decide(caller, plan, { cost, counted: counted !== undefined });
    const refund = async (requests: number) => fallback.refund(caller, requests);
    return {
      by: "process",
      verdict,
      planId: caller.plan,
      charge: {
        handle,
        keyId: caller.keyId,
        keyHash: hash,
        limits,
        month: verdict === "admitted" && !counted ? cost : 0,
        refund,
        async further(count) {
          const { charged, month } = fallback.chargeMore(caller, plan, count);
          return { charged, limits: { ...limits, month }, refund };
        },
      },
    };
  };
}
