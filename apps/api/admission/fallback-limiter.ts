import type { Plan } from "@tranche/shared/accounts/plans";
import { isInForce, planUnder } from "@tranche/shared/accounts/throttle";
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Backlog } from "./counters.ts";
import type { KnownCaller } from "./known-callers.ts";
import { BURST_SECONDS, endOfMonth, type LimitStatus, remaining, type Window } from "./limit-status.ts";

type FallbackDecision = { verdict: "admitted" | "rate_limited" | "quota_exceeded"; limits: LimitStatus };

/** The cost of a request in the quota. `counted`: Redis may have counted it already, although the reply was lost. */
export type QuotaCost = { cost: number; counted?: boolean };

/** The limits of one process, used during an outage of Redis. */
export type FallbackLimiter = {
  decide(caller: KnownCaller, plan: Plan, quota: QuotaCost): Promise<FallbackDecision>;
  /** Takes requests out of the quota. */
  refund(caller: KnownCaller, requests: number): void;
  /** Charges further requests to the quota: all, or none when fewer are left. */
  chargeMore(caller: KnownCaller, plan: Plan, count: number): { charged: boolean; month: Window };
  /** Returns the requests of these accounts that were admitted since the last call, to be counted in Redis. */
  takeBacklog(isTaken?: (handle: string) => boolean): Backlog[];
};

const BURST_MS = BURST_SECONDS * 1000;

/**
 * Each of `processes` API processes admits its share of a burst: in the first minute, of the requests that were left when Redis last answered;
 * afterwards, of the whole burst. The quota continues from the last answer of Redis. `now` in ms.
 */
export function createFallbackLimiter(processes: () => number, now: () => number): FallbackLimiter {
  // Only counts. How many requests may pass depends on the caller and is decided below.
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: BURST_SECONDS });
  const backlogs = new Map<string, Backlog & { since: number }>();
  const backlogOf = (handle: string, at: number) => {
    const endsAt = endOfMonth(at);
    const backlog = backlogs.get(handle) ?? { handle, burst: 0, since: at, endsAt, month: 0 };
    if (at - backlog.since >= BURST_MS) Object.assign(backlog, { burst: 0, since: at });
    if (backlog.endsAt !== endsAt) Object.assign(backlog, { endsAt, month: 0 });
    backlogs.set(handle, backlog);
    return backlog;
  };
  /** The month of a caller: what Redis last said, and what this process has admitted since. */
  const monthOf = ({ limits: last }: KnownCaller, plan: Plan, backlog: Backlog): Window => {
    const used = (last.month.resetsAt === backlog.endsAt ? last.month.used : 0) + backlog.month;
    return { limit: plan.quota, used, resetsAt: backlog.endsAt };
  };
  /** The lower limits of a caller that are in force. */
  const throttleOf = ({ limits: { throttle } }: KnownCaller, at: number) =>
    throttle && isInForce(throttle, at) ? throttle : undefined;
  const share = (requests: number) => (requests <= 0 ? 0 : Math.max(1, Math.floor(requests / processes())));

  return {
    async decide(caller, ofPlan, { cost, counted = false }) {
      const at = now();
      const throttle = throttleOf(caller, at);
      const plan = planUnder(ofPlan, throttle);
      const { handle, limits: last } = caller;
      const backlog = backlogOf(handle, at);
      const left = at - last.at < BURST_MS ? Math.min(plan.burst, remaining(last.burst)) : plan.burst;
      const cap = share(left);
      // While Redis is away, everything counts in the month.
      const { own } = last;

      const { consumedPoints, msBeforeNext } = await limiter.consume(handle);
      // Only now: others may have been admitted meanwhile.
      const month = monthOf(caller, plan, backlog);
      const { used } = month;
      const overBurst = consumedPoints > cap;
      const overQuota = cost > 0 && used + cost > plan.quota;
      if (overBurst || overQuota) {
        await limiter.reward(handle);
        // When none of this process's requests are in the window, those that Redis counted have to leave it first.
        const resetsAt = consumedPoints > 1 ? at + msBeforeNext : Math.max(at + 1000, last.burst.resetsAt);
        const burst = {
          limit: plan.burst,
          used: overBurst ? plan.burst : plan.burst - cap + consumedPoints - 1,
          resetsAt,
        };
        return { verdict: overBurst ? "rate_limited" : "quota_exceeded", limits: { at, burst, month, own, throttle } };
      }
      if (!counted) {
        backlog.burst++;
        backlog.month += cost;
      }
      const burst = { limit: plan.burst, used: plan.burst - cap + consumedPoints, resetsAt: at + msBeforeNext };
      return {
        verdict: "admitted",
        limits: { at, burst, month: { ...month, used: used + cost }, own, throttle },
      };
    },
    refund({ handle }, requests) {
      const backlog = backlogOf(handle, now());
      backlog.month = Math.max(0, backlog.month - requests);
    },
    chargeMore(caller, plan, count) {
      const at = now();
      const backlog = backlogOf(caller.handle, at);
      const month = monthOf(caller, planUnder(plan, throttleOf(caller, at)), backlog);
      const charged = month.used + count <= month.limit;
      if (charged) backlog.month += count;
      return { charged, month: { ...month, used: month.used + (charged ? count : 0) } };
    },
    takeBacklog(isTaken = () => true) {
      const at = now();
      const handles = [...backlogs.keys()].filter(isTaken);
      const taken = handles.map((handle) => backlogOf(handle, at));
      for (const handle of handles) backlogs.delete(handle);
      return taken
        .map(({ handle, burst, endsAt, month }) => ({ handle, burst, endsAt, month }))
        .filter(({ burst, month }) => burst > 0 || month > 0);
    },
  };
}
