import type { Context, Middleware } from "koa";
import { type CallerRequest, type Charge, chargeOf, type Cost } from "./charge.ts";
import { rateLimitHeaders, type LimitStatus } from "./limit-status.ts";
import type { ErrorLog } from "./error-log.ts";
import type { UsageLog } from "./usage-log.ts";

/**
 * Refunds a request once the status of its response is known, and returns the rate limit headers, name and value in turn.
 * Responses with data cost burst and quota; those without (304 and refusals) cost burst only; 5xx cost nothing.
 */
export type Settle = (request: CallerRequest, status: number) => Promise<string[]>;

export function createSettle(usage: Pick<UsageLog, "record">): Settle {
  return async (request, status) => {
    const charge = chargeOf(request);
    if (!charge) return [];
    usage.record(charge, status);
    const due = refundOf(charge, status);
    if (!due.burst && !due.month) return rateLimitHeaders(charge.limits);
    await charge.refund(due);
    return rateLimitHeaders(limitsAfter(charge.limits, due));
  };
}

/** Settles every response of the middleware below it, and records those that refuse a caller with a valid key or fail. */
export function settled(settle: Settle, recordError: ErrorLog["record"]): Middleware {
  return async (ctx: Context, next) => {
    await next();
    if (ctx.status >= 400) recordError(ctx);
    const headers = await settle(ctx, ctx.status);
    for (let n = 0; n < headers.length; n += 2) ctx.set(headers[n]!, headers[n + 1]!);
  };
}

function refundOf(charge: Charge, status: number): Cost {
  if (status >= 500) return { burst: charge.burst, month: charge.month };
  return { burst: 0, month: status < 300 ? 0 : charge.month };
}

function limitsAfter({ at, burst, month }: LimitStatus, back: Cost): LimitStatus {
  return {
    at,
    burst: { ...burst, used: burst.used - back.burst },
    month: { ...month, used: month.used - back.month },
  };
}
