import type { Plan } from "@tranche/shared/accounts/plans";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Backlog } from "./counters.ts";
import type { KnownCaller } from "./known-callers.ts";
import { BURST_SECONDS, endOfMonth, remaining, type LimitStatus, type Window } from "./limit-status.ts";

export type FallbackDecision = { verdict: "admitted" | "rate_limited" | "quota_exceeded"; limits: LimitStatus };

/** What a request costs. `counted`: quota, but Redis may have counted it already, though its answer was lost. */
export type Cost = "quota" | "free" | "counted";

/** Limits of this process alone, for the time that Redis is away. */
export type FallbackLimiter = {
  decide(caller: KnownCaller, plan: Plan, cost: Cost): Promise<FallbackDecision>;
  refund(caller: KnownCaller, part: { burst: 0 | 1; month: 0 | 1 }): Promise<void>;
  /** Takes what was let through, to be counted where it belongs. */
  takeBacklog(): Backlog[];
};

const BURST_MS = BURST_SECONDS * 1000;

/**
 * Each of `processes` lets its part of a burst through: in the first minute its part of what was left when Redis was last
 * heard. The quota goes on from there, as far as this process knows. `now` in ms.
 */
export function createFallbackLimiter(processes: number, now: () => number): FallbackLimiter {
  // It counts; how many may pass depends on the caller and is decided here.
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: BURST_SECONDS });
  const backlogs = new Map<string, Backlog & { since: number }>();
  const backlogOf = (handle: string, at: number) => {
    const endsAt = endOfMonth(at);
    const there = backlogs.get(handle) ?? { handle, burst: 0, since: at, endsAt, month: 0 };
    if (at - there.since >= BURST_MS) Object.assign(there, { burst: 0, since: at });
    if (there.endsAt !== endsAt) Object.assign(there, { endsAt, month: 0 });
    backlogs.set(handle, there);
    return there;
  };
  const share = (requests: number) => (requests <= 0 ? 0 : Math.max(1, Math.floor(requests / processes)));

  return {
    async decide({ handle, limits: last }, plan, cost) {
      const at = now();
      const backlog = backlogOf(handle, at);
      const used = (last.month.resetsAt === backlog.endsAt ? last.month.used : 0) + backlog.month;
      const month: Window = { limit: plan.quota, used, resetsAt: backlog.endsAt };
      const left = at - last.at < BURST_MS ? Math.min(plan.burst, remaining(last.burst)) : plan.burst;
      const cap = share(left);

      const { consumedPoints, msBeforeNext } = await limiter.consume(handle);
      const overBurst = consumedPoints > cap;
      const overQuota = cost !== "free" && used >= plan.quota;
      if (overBurst || overQuota) {
        await limiter.reward(handle);
        // None of the process's own may be in the window: then it is what Redis counted that has to leave it.
        const resetsAt = consumedPoints > 1 ? at + msBeforeNext : Math.max(at + 1000, last.burst.resetsAt);
        const burst = {
          limit: plan.burst,
          used: overBurst ? plan.burst : plan.burst - cap + consumedPoints - 1,
          resetsAt,
        };
        return { verdict: overBurst ? "rate_limited" : "quota_exceeded", limits: { at, burst, month } };
      }
      if (cost !== "counted") backlog.burst++;
      if (cost === "quota") backlog.month++;
      const burst = { limit: plan.burst, used: plan.burst - cap + consumedPoints, resetsAt: at + msBeforeNext };
      return {
        verdict: "admitted",
        limits: { at, burst, month: { ...month, used: cost === "free" ? used : used + 1 } },
      };
    },
    async refund({ handle }, { burst, month }) {
      const backlog = backlogOf(handle, now());
      if (burst) {
        await limiter.reward(handle);
        backlog.burst = Math.max(0, backlog.burst - 1);
      }
      if (month) backlog.month = Math.max(0, backlog.month - 1);
    },
    takeBacklog() {
      const at = now();
      const taken = [...backlogs.keys()].map((handle) => backlogOf(handle, at));
      backlogs.clear();
      return taken
        .map(({ handle, burst, endsAt, month }) => ({ handle, burst, endsAt, month }))
        .filter(({ burst, month }) => burst > 0 || month > 0);
    },
  };
}
