import { matchedRoute } from "@tranche/http/server/matched-route";
import type { Context, Middleware } from "koa";
import { type CallerRequest, type Charge, chargeOf, limitsWithout } from "./charge.ts";
import { rateLimitHeaders } from "./limit-status.ts";
import type { ErrorLog } from "./error-log.ts";
import { refundQuota } from "./refund-quota.ts";
import type { UsageLog } from "./usage-log.ts";

/**
 * Refunds the quota of a request once the status of its response is known, and returns the rate limit headers, name and value in
 * turn. The burst is never refunded.
 */
export type Settle = (request: CallerRequest, status: number) => Promise<string[]>;

export function createSettle(usage: Pick<UsageLog, "record">): Settle {
  return async (request, status) => {
    const charge = chargeOf(request);
    if (!charge) return [];
    usage.record(charge, status, request.state.isMcp ? "mcp" : "api");
    const { limits, month } = charge;
    if (month === 0 || costsQuota(charge, status)) return rateLimitHeaders(limits);
    await charge.refund(month);
    return rateLimitHeaders(limitsWithout(charge));
  };
}

/** Refunds the quota of one part of a request, such as a tool's call, unless a part of this status costs it. */
export async function settlePart(request: CallerRequest, status: number): Promise<void> {
  const charge = chargeOf(request);
  if (charge && !costsQuota(charge, status)) await refundQuota(request);
}

/** Settles every response of the middleware below it, and records those that refuse a caller with a valid key or fail. */
export function settleResponses(settle: Settle, recordError: ErrorLog["record"]): Middleware {
  return async (ctx: Context, next) => {
    await next();
    if (ctx.status >= 400) {
      const { method, url, status, state } = ctx;
      // Where no route fits, the path is the caller's own text.
      recordError({ method, url, status, state, route: matchedRoute(ctx) ?? "other" });
    }
    const headers = await settle(ctx, ctx.status);
    for (let n = 0; n < headers.length; n += 2) ctx.set(headers[n]!, headers[n + 1]!);
  };
}

/** Statuses whose work was done: nothing of that name was found, or the caller left before the answer. */
const WORKED: ReadonlySet<number> = new Set([404, 408]);

/** Whether a response costs quota. Other refusals come before the work, and 5xx are errors of ours. */
function costsQuota({ takesWork }: Charge, status: number): boolean {
  return status < 300 || WORKED.has(status) || (status < 500 && takesWork === true);
}
