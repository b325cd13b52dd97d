import { ownPool, type Plan, type Plans } from "@tranche/shared/accounts/plans";
import type { ApiError } from "../errors/api-error.ts";
import type { PlanPrice } from "./counters.ts";

/** Whether the request itself has to be refused on a plan. The plan is known only after the key is. */
export type RefusalOf = (plan: Plan) => ApiError | undefined;

/** The cost and refusal of one request on one plan. */
type PlanTerms = { plan: Plan; refusal: ApiError | undefined; cost: number };

/**
 * What a request costs, in requests of the quota. `own`: a request of the dashboard that costs one comes out of the account's own pool
 * first.
 */
export type Cost = { requests: number; own?: true };

/** The cost of a request on each plan, so that Redis can decide before this process knows the caller's plan. */
export type PriceList = {
  /** By the plan's id. */
  terms: ReadonlyMap<string, PlanTerms>;
  prices: readonly PlanPrice[];
};

/**
 * Makes the price lists of requests. Requests that no plan refuses share one list for as long as the plans stay the same, so that
 * concurrent ones can share a round trip (see Counters).
 */
export function createPriceLists(plans: () => Plans): (refusalOf: RefusalOf, cost: Cost) => PriceList {
  const sharedLists = (current: Plans) => ({
    plans: current,
    each: Object.values(current),
    byCost: new Map<string, PriceList>(),
  });
  let shared = sharedLists(plans());
  return (refusalOf, cost) => {
    const current = plans();
    if (shared.plans !== current) shared = sharedLists(current);
    if (shared.each.some((plan) => refusalOf(plan) !== undefined)) return priceList(current, refusalOf, cost);
    const { byCost } = shared;
    const name = cost.own ? `own ${cost.requests}` : String(cost.requests);
    let list = byCost.get(name);
    if (!list) byCost.set(name, (list = priceList(current, () => undefined, cost)));
    return list;
  };
}

function priceList(plans: Plans, refusalOf: RefusalOf, { requests, own }: Cost): PriceList {
  const terms = Object.entries(plans).map(([id, plan]) => {
    const refusal = refusalOf(plan);
    return [id, { plan, refusal, cost: refusal === undefined ? requests : 0 }] as const;
  });
  const prices = terms.map(([id, { plan, cost: ofPlan }]) => {
    const pooled = own === true && ofPlan === 1;
    return { plan: id, burst: plan.burst, quota: plan.quota, cost: ofPlan, pool: ownPool(plan), pooled };
  });
  return { terms: new Map(terms), prices };
}
