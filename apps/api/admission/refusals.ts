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
export function rateLimited(plan: Plan, limits: LimitStatus): ApiError {
  const { at, burst } = limits;
  const seconds = Math.max(1, secondsUntilReset(burst, at));
  const allowed =
    burst.limit < plan.burst
      ? `The operator of this service allows this account ${burst.limit} requests in 60 seconds${untilOf(limits)}, fewer than the ${plan.burst} of its plan ${plan.name}.`
      : `The plan ${plan.name} allows ${plan.burst} requests in 60 seconds.`;
  const message = `${allowed} Try again in ${seconds} s.`;
  return new ApiError("rate_limited", message, { headers: { "Retry-After": String(seconds) } });
}

/** 429 for a used-up month. */
export function quotaExceeded(plan: Plan, limits: LimitStatus): ApiError {
  return quotaRefusal(plan, limits, 1, `The ${limits.month.limit} requests ${whose(plan, limits)} are used up.`);
}

/** 429 for a request that costs more than is left of the month. `what` it is that costs so much: `An export of 4,000 rows`. */
export function costsTooMuch(
  plan: Plan,
  limits: LimitStatus,
  { what, cost, advice = "" }: { what: string; cost: number; advice?: string },
): ApiError {
  const left = remaining(limits.month);
  const text = `${what} costs ${cost} requests; ${left} of the ${limits.month.limit} ${whose(plan, limits)} are left.`;
  return quotaRefusal(plan, limits, cost, text + advice);
}

/** Who has set the limit of the month: the plan, or an operator below it. */
const whose = (plan: Plan, limits: LimitStatus): string =>
  limits.month.limit < plan.quota
    ? `that the operator of this service allows this account in a calendar month${untilOf(limits)}, fewer than the ${plan.quota} of its plan ${plan.name},`
    : `that the plan ${plan.name} has in a calendar month`;

/** When an operator's lower limits end by themselves; empty when they don't. */
const untilOf = ({ throttle }: LimitStatus): string =>
  throttle?.until ? ` until ${new Date(throttle.until).toISOString()}` : "";

/** Until the request is admitted: the next month, or the end of lower limits, if the plan has enough left for it then. */
function quotaRefusal(plan: Plan, { at, month, throttle }: LimitStatus, cost: number, text: string): ApiError {
  const { until = null } = throttle ?? {};
  const isEnoughThen = until !== null && month.used + cost <= plan.quota;
  const again = isEnoughThen ? Math.min(until, month.resetsAt) : month.resetsAt;
  const seconds = Math.max(1, secondsUntilReset({ ...month, resetsAt: again }, at));
  const message = `${text} The next month begins ${new Date(month.resetsAt).toISOString()}.`;
  return new ApiError("quota_exceeded", message, { headers: { "Retry-After": String(seconds) } });
}
