/** One limit and how much of it is used. */
export type Window = {
  limit: number;
  used: number;
  /** Of the burst window: when the oldest request leaves it. Of the month: when it ends. In ms. */
  resetsAt: number;
};

/** Where an account stands. `at`: the time it was looked at, in ms, by the clock that the windows go by. */
export type LimitStatus = { at: number; burst: Window; month: Window };

export const BURST_SECONDS = 60;

export const remaining = ({ limit, used }: Window): number => Math.max(0, limit - used);

/** Whole seconds until a window resets, rounded up; at least 1 while it has not. */
export const secondsUntilReset = ({ resetsAt }: Window, at: number): number =>
  Math.max(0, Math.ceil((resetsAt - at) / 1000));

/**
 * Headers that tell a caller its limits, name and value in turn: RateLimit (draft-ietf-httpapi-ratelimit-headers-11), and the
 * older ones for the burst.
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

/** What an account may do, whatever it did. */
function policy(burst: number, quota: number, monthEndsAt: number): string {
  return `"burst";q=${burst};w=${BURST_SECONDS}, "month";q=${quota};w=${secondsOfMonth(monthEndsAt)}`;
}

/** The length of the month that ends then. It is asked for again and again for the same one. */
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
