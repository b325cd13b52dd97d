import type { LowerLimits } from "@tranche/shared/accounts/throttle";

/** One limit and how much of it is used. */
export type Window = {
  limit: number;
  used: number;
  /** In ms. Of the burst window: when its oldest request leaves it. Of the month: when it ends. */
  resetsAt: number;
};

/**
 * The limits of an account and how much of them is used, at the time `at` (ms) of the clock that decides. `own`: what the dashboard may
 * request in a month before that counts in it. `throttle`: in force, so that the limits are lower than those of the plan.
 */
export type LimitStatus = {
  at: number;
  burst: Window;
  month: Window;
  own: Window;
  throttle?: LowerLimits | undefined;
};

export const BURST_SECONDS = 60;

export const remaining = ({ limit, used }: Window): number => Math.max(0, limit - used);

/** Whole seconds until a window resets, rounded up; at least 1 until it has reset. */
export const secondsUntilReset = ({ resetsAt }: Window, at: number): number =>
  Math.max(0, Math.ceil((resetsAt - at) / 1000));

/**
 * The headers with the caller's limits, name and value in turn: RateLimit (draft-ietf-httpapi-ratelimit-headers-11), and the older
 * X-RateLimit ones for the burst.
 */
export function rateLimitHeaders({ at, burst, month }: LimitStatus): string[] {
  const state = (name: string, window: Window) => `"${name}";r=${remaining(window)};t=${secondsUntilReset(window, at)}`;
  // prettier-ignore
  return [
    "RateLimit-Policy", policy(burst.limit, month.limit, month.resetsAt),
    "RateLimit", `${state("burst", burst)}, ${state("month", month)}`,
    "X-RateLimit-Limit", String(burst.limit),
    "X-RateLimit-Remaining", String(remaining(burst)),
    "X-RateLimit-Reset", String(Math.ceil(burst.resetsAt / 1000)),
  ];
}

/** The limits of an account, whatever it has used. */
function policy(burst: number, quota: number, monthEndsAt: number): string {
  return `"burst";q=${burst};w=${BURST_SECONDS}, "month";q=${quota};w=${secondsOfMonth(monthEndsAt)}`;
}

/** The length of the month that ends at `endsAt` (ms). Cached, because each request needs it and nearly all for the same month. */
function secondsOfMonth(endsAt: number): number {
  if (lastMonth.endsAt !== endsAt) {
    const end = new Date(endsAt);
    lastMonth = { endsAt, seconds: (endsAt - Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1)) / 1000 };
  }
  return lastMonth.seconds;
}
let lastMonth = { endsAt: Number.NaN, seconds: 0 };

/** When the calendar month (UTC) of a time ends; both in ms. */
export function endOfMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
