import { readCopiedThrottle } from "@tranche/shared/accounts/throttle";
import type { LimitStatus } from "./limit-status.ts";

/** The cost of a request, and the end of the month that it counts in (s), so that it can be refunded. `own`: it came out of the own pool. */
export type Counted = { month: number; ends: number; own?: boolean };

/** The decision of admit.lua on one request. */
export type Decision =
  /** `unknown`: Redis has no copy of the key or of its account, or one of a session from before the account's last sign-out. */
  | { verdict: "unknown" | "revoked" | "expired" | "suspended" | "deleted" }
  | { verdict: "no_plan"; plan: string }
  | {
      verdict: "admitted" | "rate_limited" | "quota_exceeded";
      plan: string;
      keyId: string;
      /** In ms; null: never. */
      expiresAt: number | null;
      limits: LimitStatus;
      counted: Counted;
    };

/** The reply of admit.lua. Its header explains the values. */
export type Reply =
  | [verdict: string, plan?: string]
  | [
      verdict: string,
      admitted: number,
      plan: string,
      keyId: string,
      expires: string,
      at: number,
      costs: number,
      limit: number,
      total: number,
      falls: number,
      quota: number,
      used: number,
      ends: number,
      pool: number,
      own: number,
      pooled: number,
      throttle: string,
    ];

/** The decision on each of `count` equal requests, in order. */
export function decisionsOf(reply: Reply, count: number): Decision[] {
  if (reply.length <= 2) {
    const decision = { verdict: reply[0], plan: reply[1] } as Decision;
    return Array.from({ length: count }, () => decision);
  }
  const [last, admitted, plan, keyId, expires, at, costs, limit, total, falls, ...month] = reply as Extract<
    Reply,
    { length: 17 }
  >;
  const [quota, used, ends, pool, own, pooled, lowered] = month;
  const throttle = readCopiedThrottle(lowered);
  const decisions: Decision[] = [];
  for (let place = 0; place < count; place++) {
    const counts = place < admitted;
    // How many requests are admitted after this one.
    const later = counts ? admitted - place - 1 : 0;
    // The first ones came out of the pool.
    const laterOwn = counts ? Math.max(0, pooled - place - 1) : 0;
    decisions.push({
      verdict: counts ? "admitted" : (last as "rate_limited"),
      plan,
      keyId,
      expiresAt: expires === "" ? null : Number(expires),
      limits: {
        at,
        burst: { limit, used: total - later, resetsAt: falls },
        month: { limit: quota, used: used - (later - laterOwn) * costs, resetsAt: ends * 1000 },
        own: { limit: pool, used: own - laterOwn, resetsAt: ends * 1000 },
        throttle,
      },
      counted: { ends, month: counts ? costs : 0, own: place < pooled },
    });
  }
  return decisions;
}
