import type { Plan } from "@tranche/shared/accounts/plans";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { KnownCaller } from "./known-callers.ts";
import { BURST_SECONDS, endOfMonth, type Standing } from "./standing.ts";

export type OwnDecision = { verdict: "admitted" | "rate_limited" | "quota_exceeded"; standing: Standing };

/** Limits of this process alone, for the time that Redis is away. */
export type OwnLimits = {
  /** `quota`: `free` costs none; `counted` is one that Redis may have counted already, though its answer was lost. */
  decide(caller: KnownCaller, plan: Plan, quota: "costs" | "free" | "counted"): Promise<OwnDecision>;
  giveBack(caller: KnownCaller, plan: Plan, part: { burst: 0 | 1; month: 0 | 1 }): Promise<void>;
  /** Takes what was let through, by account and end of the month (ms), to be counted where it belongs. */
  takeOwed(): { handle: string; endsAt: number; requests: number }[];
};

/**
 * Each of `processes` lets its part of a burst through. The quota goes on from where the account stood when Redis was
 * last heard, as far as this process knows.
 */
export function createOwnLimits(processes: number, now: () => number): OwnLimits {
  const limiters = new Map<number, RateLimiterMemory>();
  const limiterOf = ({ burst }: Plan) => {
    const points = Math.max(1, Math.floor(burst / processes));
    const found = limiters.get(points) ?? new RateLimiterMemory({ points, duration: BURST_SECONDS });
    limiters.set(points, found);
    return found;
  };
  const owed = new Map<string, { endsAt: number; requests: number }>();
  const owedBy = (handle: string, endsAt: number) => {
    const entry = owed.get(handle);
    if (entry?.endsAt === endsAt) return entry;
    const fresh = { endsAt, requests: 0 };
    owed.set(handle, fresh);
    return fresh;
  };

  return {
    async decide(caller, plan, quota) {
      const at = now();
      const endsAt = endOfMonth(at);
      const debt = owedBy(caller.handle, endsAt);
      const usedBefore = caller.month?.resetsAt === endsAt ? caller.month.used : 0;
      const month = { limit: plan.quota, used: usedBefore + debt.requests, resetsAt: endsAt };
      const limiter = limiterOf(plan);
      const standingAfter = (result: RateLimiterRes | null, used: number): Standing => ({
        at,
        burst: {
          limit: plan.burst,
          used: plan.burst - (result?.remainingPoints ?? limiter.points),
          resetsAt: at + (result?.msBeforeNext ?? 0),
        },
        month: { ...month, used },
      });
      if (quota !== "free" && month.used >= plan.quota) {
        const state = await limiter.get(caller.handle);
        const verdict = state && state.remainingPoints <= 0 ? "rate_limited" : "quota_exceeded";
        return { verdict, standing: standingAfter(state, month.used) };
      }
      try {
        const result = await limiter.consume(caller.handle);
        if (quota === "costs") debt.requests++;
        return { verdict: "admitted", standing: standingAfter(result, month.used + (quota === "free" ? 0 : 1)) };
      } catch (result) {
        if (!(result instanceof RateLimiterRes)) throw result;
        return { verdict: "rate_limited", standing: standingAfter(result, month.used) };
      }
    },
    async giveBack(caller, plan, { burst, month }) {
      if (burst) await limiterOf(plan).reward(caller.handle);
      if (month) owedBy(caller.handle, endOfMonth(now())).requests--;
    },
    takeOwed() {
      const taken = [...owed].map(([handle, debt]) => ({ handle, ...debt }));
      owed.clear();
      return taken.filter(({ requests }) => requests > 0);
    },
  };
}
