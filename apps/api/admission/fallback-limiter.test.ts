import type { Plan } from "@tranche/shared/accounts/plans";
import { expect, test } from "vitest";
import type { KnownCaller } from "./known-callers.ts";
import { createFallbackLimiter, type FallbackLimiter, type QuotaCost } from "./fallback-limiter.ts";

const START = Date.parse("2025-06-15T12:00:00Z");
const JULY = Date.parse("2025-07-01T00:00:00Z");
const plan: Plan = {
  name: "Growth",
  max_limit: 20,
  burst: 12,
  quota: 100,
  export: true,
  webhooks: 1,
  provenance: false,
};

/** A caller with these numbers of requests in the last minute and in the month, when Redis last answered. */
function callerAt(at: number, burst: number, month: number): KnownCaller {
  const limits = {
    at,
    burst: { limit: 12, used: burst, resetsAt: at + 20_000 },
    month: { limit: 100, used: month, resetsAt: JULY },
    own: { limit: 1000, used: 0, resetsAt: JULY },
  };
  return { handle: "h", keyId: "k", plan: "growth", expiresAt: null, checkedAt: at, limits };
}
const idle = callerAt(START, 0, 0);
const limitsOf = (processes: number, now = () => START) => createFallbackLimiter(() => processes, now);

async function admitted(
  limits: FallbackLimiter,
  caller: KnownCaller,
  requests: number,
  cost: QuotaCost = { cost: 1 },
): Promise<number> {
  const decisions = await Promise.all(Array.from({ length: requests }, () => limits.decide(caller, plan, cost)));
  return decisions.filter(({ verdict }) => verdict === "admitted").length;
}

test("each process admits its share of the burst, and at least one request", async () => {
  expect(await admitted(limitsOf(4), idle, 20)).toBe(3);
  expect(await admitted(limitsOf(50), idle, 20)).toBe(1);
});

test("the share follows the number of processes", async () => {
  let processes = 2;
  const limits = createFallbackLimiter(
    () => processes,
    () => START,
  );
  expect(await admitted(limits, idle, 20)).toBe(6);
  processes = 1;
  expect(await admitted(limits, idle, 20)).toBe(6);
});

test("in the first minute only the requests that were left are shared, afterwards the whole burst", async () => {
  let now = START;
  const busy = callerAt(START, 8, 8);
  const spent = callerAt(START, 12, 12);
  expect(
    await admitted(
      limitsOf(2, () => now),
      busy,
      20,
    ),
  ).toBe(2);
  const refused = await limitsOf(2).decide(spent, plan, { cost: 1 });
  expect(refused).toMatchObject({
    verdict: "rate_limited",
    limits: { burst: { used: 12, resetsAt: START + 20_000 } },
  });
  now = START + 60_000;
  expect(
    await admitted(
      limitsOf(2, () => now),
      busy,
      20,
    ),
  ).toBe(6);
});

test("the quota continues from the last answer of Redis, and the backlog is taken once", async () => {
  const limits = limitsOf(1);
  const caller = callerAt(START, 0, 95);
  expect(await admitted(limits, caller, 5)).toBe(5);
  expect(await limits.decide(caller, plan, { cost: 1 })).toMatchObject({
    verdict: "quota_exceeded",
    limits: { month: { used: 100 } },
  });
  expect(await admitted(limits, caller, 1, { cost: 0 })).toBe(1);
  expect(limits.takeBacklog()).toEqual([{ handle: "h", burst: 6, endsAt: JULY, month: 5 }]);
  expect(limits.takeBacklog()).toEqual([]);
});

test("a request that Redis may have counted is not in the backlog", async () => {
  const limits = limitsOf(1);
  expect(await limits.decide(idle, plan, { cost: 1, counted: true })).toMatchObject({
    verdict: "admitted",
    limits: { burst: { used: 1 }, month: { used: 1 } },
  });
  expect(limits.takeBacklog()).toEqual([]);
});

test("the backlog has only the burst of the last minute", async () => {
  let now = START;
  const limits = limitsOf(1, () => now);
  await admitted(limits, idle, 2);
  now += 60_000;
  await admitted(limits, idle, 1);
  expect(limits.takeBacklog()).toEqual([{ handle: "h", burst: 1, endsAt: JULY, month: 3 }]);
});

test("a refunded request is not in the backlog of the quota, and stays in that of the burst", async () => {
  const limits = limitsOf(12);
  expect(await admitted(limits, idle, 2)).toBe(1);
  limits.refund(idle, 1);
  expect(await admitted(limits, idle, 2, { cost: 0 })).toBe(0);
  expect(limits.takeBacklog()).toEqual([{ handle: "h", burst: 1, endsAt: JULY, month: 0 }]);
});

test("a request that costs more than is left of the quota is refused, and counts nothing", async () => {
  const limits = limitsOf(1);
  const caller = callerAt(START, 0, 95);
  expect(await admitted(limits, caller, 2, { cost: 3 })).toBe(1);
  expect((await limits.decide(caller, plan, { cost: 3 })).verdict).toBe("quota_exceeded");
  expect(limits.takeBacklog()).toEqual([{ handle: "h", burst: 1, endsAt: JULY, month: 3 }]);
});

test("further requests are charged all or not at all, and are in the backlog until they are refunded", async () => {
  const limits = limitsOf(1);
  const caller = callerAt(START, 0, 90);
  expect(await admitted(limits, caller, 1)).toBe(1);
  expect(limits.chargeMore(caller, plan, 10)).toMatchObject({ charged: false, month: { used: 91 } });
  expect(limits.chargeMore(caller, plan, 9)).toMatchObject({ charged: true, month: { limit: 100, used: 100 } });
  limits.refund(caller, 4);
  expect(limits.takeBacklog()).toEqual([{ handle: "h", burst: 1, endsAt: JULY, month: 6 }]);
});

test("the quota starts again when the month ends during the outage", async () => {
  let now = JULY - 1;
  const limits = limitsOf(1, () => now);
  const spent = callerAt(START, 0, 100);
  expect((await limits.decide(spent, plan, { cost: 1 })).verdict).toBe("quota_exceeded");
  now = JULY;
  expect((await limits.decide(spent, plan, { cost: 1 })).limits.month).toMatchObject({ used: 1 });
});

test("a throttle holds without Redis as well, until its end", async () => {
  const throttled = (throttle: { burst: number; quota: number | null; until: number | null }): KnownCaller => ({
    ...idle,
    limits: { ...idle.limits, throttle },
  });
  const low = { burst: 4, quota: null, until: START + 1 };
  expect(await admitted(limitsOf(2), throttled(low), 20)).toBe(2);
  expect(await admitted(limitsOf(2), throttled({ ...low, until: START }), 20)).toBe(6);
  const scarce = throttled({ ...low, quota: 1 });
  const limits = limitsOf(2);
  expect(await admitted(limits, scarce, 20)).toBe(1);
  expect(await limits.decide(scarce, plan, { cost: 1 })).toMatchObject({
    verdict: "quota_exceeded",
    limits: { burst: { limit: 4 }, month: { limit: 1, used: 1 }, throttle: { burst: 4 } },
  });
  expect(limits.chargeMore(scarce, plan, 1)).toMatchObject({ charged: false, month: { limit: 1 } });
});
