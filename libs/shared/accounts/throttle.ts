import type { Plan } from "./plans.ts";

/** Limits of an account below those of its plan, as an operator has set them. A missing one is that of the plan. */
export type Throttle = {
  /** Requests in any 60 seconds. */
  burst?: number | undefined;
  /** Requests in a calendar month. */
  quota?: number | undefined;
  /** ISO time at which it ends by itself; missing: when an operator ends it. */
  until?: string | undefined;
  /** For operators; members don't see it. */
  reason: string;
};

/** The same for those who decide on requests. `until` in ms; null where a limit or an end is missing. */
export type LowerLimits = { burst: number | null; quota: number | null; until: number | null };

export const lowerLimits = ({ burst, quota, until }: Throttle): LowerLimits => ({
  burst: burst ?? null,
  quota: quota ?? null,
  until: until === undefined ? null : Date.parse(until),
});

/** Whether they are in force at a time (ms). */
export const isInForce = (limits: LowerLimits, at: number): boolean => limits.until === null || at < limits.until;

/** The throttle of an account, unless it has ended; null where there is none. `now` in ms. */
export const throttleInForce = (throttle: Throttle | undefined, now: number): Throttle | null =>
  throttle && isInForce(lowerLimits(throttle), now) ? throttle : null;

/** A plan with the limits that an account really has. It never has more than the plan. */
export const planUnder = (plan: Plan, limits: LowerLimits | undefined): Plan =>
  limits
    ? {
        ...plan,
        burst: Math.min(plan.burst, limits.burst ?? plan.burst),
        quota: Math.min(plan.quota, limits.quota ?? plan.quota),
      }
    : plan;

/** As a hot copy has it: `<burst> <quota> <end in ms>`, nothing for one that is missing; empty without a throttle. */
export function copiedThrottle(throttle: Throttle | undefined): string {
  if (!throttle) return "";
  const { burst, quota, until } = lowerLimits(throttle);
  return [burst, quota, until].join(" ");
}

/** Reads what `copiedThrottle` has written. */
export function readCopiedThrottle(text: string): LowerLimits | undefined {
  if (text === "") return undefined;
  const parts = text.split(" ").map((part) => (part === "" ? null : Number(part)));
  const [burst, quota, until] = parts as [number | null, number | null, number | null];
  return { burst, quota, until };
}
