import type { Plan } from "@tranche/shared/accounts/plans";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Debt } from "./counters.ts";
import type { KnownCaller } from "./known-callers.ts";
import { BURST_SECONDS, endOfMonth, remaining, type Standing, type Window } from "./standing.ts";

export type OwnDecision = { verdict: "admitted" | "rate_limited" | "quota_exceeded"; standing: Standing };

/** What a request costs. `counted`: quota, but Redis may have counted it already, though its answer was lost. */
export type Cost = "quota" | "free" | "counted";

/** Limits of this process alone, for the time that Redis is away. */
export type OwnLimits = {
  decide(caller: KnownCaller, plan: Plan, cost: Cost): Promise<OwnDecision>;
  giveBack(caller: KnownCaller, part: { burst: 0 | 1; month: 0 | 1 }): Promise<void>;
  /** Takes what was let through, to be counted where it belongs. */
  takeDebts(): Debt[];
};

const BURST_MS = BURST_SECONDS * 1000;

/**
 * Each of `processes` lets its part of a burst through: in the first minute its part of what was left when Redis was last
 * heard. The quota goes on from there, as far as this process knows. `now` in ms.
 */
export function createOwnLimits(processes: number, now: () => number): OwnLimits {
  // It counts; how many may pass depends on the caller and is decided here.
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: BURST_SECONDS });
  const debts = new Map<string, Debt & { since: number }>();
  const debtOf = (handle: string, at: number) => {
    const endsAt = endOfMonth(at);
    const there = debts.get(handle) ?? { handle, burst: 0, since: at, endsAt, month: 0 };
    if (at - there.since >= BURST_MS) Object.assign(there, { burst: 0, since: at });
    if (there.endsAt !== endsAt) Object.assign(there, { endsAt, month: 0 });
    debts.set(handle, there);
    return there;
  };
  const share = (requests: number) => (requests <= 0 ? 0 : Math.max(1, Math.floor(requests / processes)));

  return {
    async decide({ handle, standing: last }, plan, cost) {
      const at = now();
      const debt = debtOf(handle, at);
      const used = (last.month.resetsAt === debt.endsAt ? last.month.used : 0) + debt.month;
      const month: Window = { limit: plan.quota, used, resetsAt: debt.endsAt };
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
        return { verdict: overBurst ? "rate_limited" : "quota_exceeded", standing: { at, burst, month } };
      }
      if (cost !== "counted") debt.burst++;
      if (cost === "quota") debt.month++;
      const burst = { limit: plan.burst, used: plan.burst - cap + consumedPoints, resetsAt: at + msBeforeNext };
      return {
        verdict: "admitted",
        standing: { at, burst, month: { ...month, used: cost === "free" ? used : used + 1 } },
      };
    },
    async giveBack({ handle }, { burst, month }) {
      const debt = debtOf(handle, now());
      if (burst) {
        await limiter.reward(handle);
        debt.burst = Math.max(0, debt.burst - 1);
      }
      if (month) debt.month = Math.max(0, debt.month - 1);
    },
    takeDebts() {
      const at = now();
      const taken = [...debts.keys()].map((handle) => debtOf(handle, at));
      debts.clear();
      return taken
        .map(({ handle, burst, endsAt, month }) => ({ handle, burst, endsAt, month }))
        .filter(({ burst, month }) => burst > 0 || month > 0);
    },
  };
}
