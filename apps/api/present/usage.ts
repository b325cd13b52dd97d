import type { Plan } from "@tranche/shared/accounts/plans";
import { remaining, type LimitStatus, type Window } from "../admission/limit-status.ts";

/** The usage of an account, as callers see it. `mcpRequests`: to `/mcp` in this month; null when that is not known. */
export function presentUsage(
  planId: string,
  plan: Plan,
  { burst, month, own, throttle }: LimitStatus,
  mcpRequests: number | null,
) {
  // A throttle stays when its account gets a smaller plan, and lowers nothing then.
  const isLowered = burst.limit < plan.burst || month.limit < plan.quota;
  return {
    plan: planId,
    max_limit: plan.max_limit,
    export: plan.export,
    burst: shown(burst),
    month: shown(month),
    dashboard: shown(own),
    mcp: { requests: mcpRequests },
    throttle:
      throttle && isLowered ? { until: throttle.until === null ? null : new Date(throttle.until).toISOString() } : null,
  };
}

const shown = (window: Window) => ({
  limit: window.limit,
  used: window.used,
  remaining: remaining(window),
  resets_at: new Date(window.resetsAt).toISOString(),
});
