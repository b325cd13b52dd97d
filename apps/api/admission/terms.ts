import type { Plan, Plans } from "@tranche/shared/accounts/plans";
import type { ApiError } from "../errors/api-error.ts";
import type { Offer } from "./counters.ts";

/** Tells, once the plan is known, whether the request itself has to be refused. */
export type RefusalOf = (plan: Plan) => ApiError | undefined;

/** A plan as it is for one request. */
export type Term = { plan: Plan; refusal: ApiError | undefined; costsQuota: boolean };

/** What a request may cost, whichever plan its account turns out to have. */
export type Terms = {
  /** By the plan's id. */
  of: ReadonlyMap<string, Term>;
  offers: readonly Offer[];
};

/** Makes the terms of requests. Those that nothing refuses share theirs for as long as the plans stay. */
export function createTerms(plans: () => Plans): (refusalOf: RefusalOf, quota?: "free") => Terms {
  const commonOf = (current: Plans) => ({
    plans: current,
    each: Object.values(current),
    paid: termsOf(current, () => undefined),
    free: termsOf(current, () => undefined, "free"),
  });
  let common = commonOf(plans());
  return (refusalOf, quota) => {
    const current = plans();
    if (common.plans !== current) common = commonOf(current);
    if (common.each.some((plan) => refusalOf(plan) !== undefined)) return termsOf(current, refusalOf, quota);
    return quota === "free" ? common.free : common.paid;
  };
}

function termsOf(plans: Plans, refusalOf: RefusalOf, quota?: "free"): Terms {
  const terms = Object.entries(plans).map(([id, plan]) => {
    const refusal = refusalOf(plan);
    return [id, { plan, refusal, costsQuota: refusal === undefined && quota !== "free" }] as const;
  });
  const offers = terms.map(([id, { plan, costsQuota }]) => {
    return { plan: id, burst: plan.burst, quota: plan.quota, costsQuota };
  });
  return { of: new Map(terms), offers };
}
