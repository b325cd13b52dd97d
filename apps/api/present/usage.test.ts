import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import { lowerLimits, planUnder, type Throttle } from "@tranche/shared/accounts/throttle";
import { expect, test } from "vitest";
import { presentUsage } from "./usage.ts";

const AT = Date.parse("2025-06-15T12:00:00Z");
const until = "2025-06-15T18:00:00.000Z";

test("a throttle is shown while it lowers a limit of the plan", () => {
  const starter = DEFAULT_PLANS["starter"]!;
  const shown = (of: Omit<Throttle, "reason"> | undefined) => {
    const throttle = of && lowerLimits({ ...of, reason: "a loop" });
    const { burst, quota } = planUnder(starter, throttle);
    const window = (limit: number) => ({ limit, used: 0, resetsAt: AT });
    const limits = { at: AT, burst: window(burst), month: window(quota), own: window(0), throttle };
    return presentUsage("starter", starter, limits, 0).throttle;
  };
  expect(shown(undefined)).toBeNull();
  expect(shown({ burst: starter.burst - 1, until })).toEqual({ until });
  expect(shown({ burst: 1e6, quota: starter.quota - 1 })).toEqual({ until: null });
  // Set on a larger plan than the account has now.
  expect(shown({ burst: starter.burst, quota: starter.quota, until })).toBeNull();
});
