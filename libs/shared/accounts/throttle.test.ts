import { expect, test } from "vitest";
import { DEFAULT_PLANS } from "./plans.ts";
import {
  copiedThrottle,
  lowerLimits,
  planUnder,
  readCopiedThrottle,
  type Throttle,
  throttleInForce,
} from "./throttle.ts";

const END = "2025-06-15T12:00:00.000Z";
const all: Throttle = { burst: 5, quota: 70, until: END, reason: "a loop" };

test("a copy of a throttle is read as it was written", () => {
  for (const throttle of [
    all,
    { burst: 5, reason: "" },
    { quota: 70, reason: "" },
    { burst: 5, quota: 70, reason: "" },
    { ...all, quota: undefined },
  ]) {
    expect(readCopiedThrottle(copiedThrottle(throttle))).toEqual(lowerLimits(throttle));
  }
  expect(readCopiedThrottle(copiedThrottle(undefined))).toBeUndefined();
});

test("a throttle ends at its time; without one it stays", () => {
  const end = Date.parse(END);
  expect(throttleInForce(all, end - 1)).toBe(all);
  expect(throttleInForce(all, end)).toBeNull();
  expect(throttleInForce({ burst: 5, reason: "" }, Number.MAX_SAFE_INTEGER)).not.toBeNull();
  expect(throttleInForce(undefined, end)).toBeNull();
});

test("an account never has more than its plan", () => {
  const { growth } = DEFAULT_PLANS as { growth: (typeof DEFAULT_PLANS)[string] };
  expect(planUnder(growth, undefined)).toBe(growth);
  expect(planUnder(growth, { burst: 5, quota: null, until: null })).toEqual({ ...growth, burst: 5 });
  expect(planUnder(growth, { burst: null, quota: 5, until: null })).toEqual({ ...growth, quota: 5 });
  expect(planUnder(growth, { burst: 1e9, quota: 1e9, until: null })).toEqual(growth);
});
