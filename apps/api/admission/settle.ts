import type { Context, Middleware } from "koa";
import { type Asking, type Charge, chargeOf } from "./charge.ts";
import { rateLimitHeaders, type LimitStatus } from "./limit-status.ts";
import type { UsageLog } from "./usage-log.ts";

/**
 * Settles what a request was charged once its answer is known, and returns the headers that tell the caller where it stands, name
 * and value in turn.
 * Answers with data cost both limits; those without (304 and refusals) cost burst alone; failures of ours cost nothing.
 */
export type Settle = (asking: Asking, status: number) => Promise<string[]>;

export function createSettle(usage: Pick<UsageLog, "note">): Settle {
  return async (asking, status) => {
    const charge = chargeOf(asking);
    if (!charge) return [];
    usage.note(charge, status);
    const due = refundOf(charge, status);
    if (!due.burst && !due.month) return rateLimitHeaders(charge.limits);
    await charge.refund(due);
    return rateLimitHeaders(limitsAfter(charge.limits, due));
  };
}

/** Settles everything that comes back from further down. */
export function settled(settle: Settle): Middleware {
  return async (ctx: Context, next) => {
    await next();
    const headers = await settle(ctx, ctx.status);
    for (let n = 0; n < headers.length; n += 2) ctx.set(headers[n]!, headers[n + 1]!);
  };
}

function refundOf(charge: Charge, status: number): { burst: 0 | 1; month: 0 | 1 } {
  if (status >= 500) return { burst: charge.burst, month: charge.month };
  return { burst: 0, month: status < 300 ? 0 : charge.month };
}

function limitsAfter({ at, burst, month }: LimitStatus, back: { burst: 0 | 1; month: 0 | 1 }): LimitStatus {
  return {
    at,
    burst: { ...burst, used: burst.used - back.burst },
    month: { ...month, used: month.used - back.month },
  };
}
