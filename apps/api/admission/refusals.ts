import type { Plan } from "@tranche/shared/accounts/plans";
import { ApiError, unauthorized, unavailable } from "../errors/api-error.ts";
import type { KeyFault } from "./known-callers.ts";
import { type LimitStatus, remaining, secondsUntilReset } from "./limit-status.ts";

const FAULTS: Record<KeyFault, string> = {
  revoked: "This API key was revoked.",
  expired: "This API key has expired.",
  suspended: "The account of this API key is suspended.",
  deleted: "The account of this API key is deleted.",
};

/** 401 for a key that exists and does not work. */
export const faultyKey = (fault: KeyFault): ApiError => unauthorized(FAULTS[fault]);

/** 503 for a key that Redis does not know, although it was copied there just before. */
export const lostCopy = (): ApiError => unavailable(new Error("Redis lost the copy of a key that was just written"));

/** The plans file and the accounts disagree. The caller gets 500, and operators read the message in the log. */
export function missingPlan(handle: string, plan: string): Error {
  return new Error(
    `Account ${handle} has the plan '${plan}', which the plans file lacks: put it back, or change the account's plan.`,
  );
}

/** 429 for a full burst window. */
export function rateLimited(plan: Plan, { at, burst }: LimitStatus): ApiError {
  const seconds = Math.max(1, secondsUntilReset(burst, at));
  const message = `The plan ${plan.name} allows ${plan.burst} requests in 60 seconds. Try again in ${seconds} s.`;
  return new ApiError("rate_limited", message, { headers: { "Retry-After": String(seconds) } });
}

/** 429 for a used-up month. */
export function quotaExceeded(plan: Plan, limits: LimitStatus): ApiError {
  return quotaRefusal(
    limits,
    `The ${plan.quota} requests that the plan ${plan.name} has in a calendar month are used up.`,
  );
}

/** 429 for a request that costs more than is left of the month. `what` it is that costs so much: `An export of 4,000 rows`. */
export function costsTooMuch(
  plan: Plan,
  limits: LimitStatus,
  { what, cost, advice = "" }: { what: string; cost: number; advice?: string },
): ApiError {
  const left = remaining(limits.month);
  const text = `${what} costs ${cost} requests; ${left} of the ${plan.quota} that the plan ${plan.name} has in a calendar month are left.`;
  return quotaRefusal(limits, text + advice);
}

function quotaRefusal({ at, month }: LimitStatus, text: string): ApiError {
  const seconds = Math.max(1, secondsUntilReset(month, at));
  const message = `${text} The next month begins ${new Date(month.resetsAt).toISOString()}.`;
  return new ApiError("quota_exceeded", message, { headers: { "Retry-After": String(seconds) } });
}
