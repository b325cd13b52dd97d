import type { Plan } from "@tranche/shared/accounts/plans";
import { expect, test } from "vitest";
import type { KnownCaller } from "./known-callers.ts";
import { createOwnLimits } from "./own-limits.ts";

const START = Date.parse("2025-06-15T12:00:00Z");
const JULY = Date.parse("2025-07-01T00:00:00Z");
const plan: Plan = { name: "Growth", max_limit: 20, burst: 10, quota: 100 };
const caller: KnownCaller = {
  handle: "h",
  keyId: "k",
  plan: "growth",
  expiresAt: null,
  checkedAt: START,
  month: { limit: 100, used: 95, resetsAt: JULY },
};
const fresh = { ...caller, month: undefined };
const limitsOf = (processes: number, now = () => START) => createOwnLimits(processes, now);

test("each process lets its part of the burst through, and at least one request", async () => {
  const limits = limitsOf(4);
  const verdicts: string[] = [];
  for (let n = 0; n < 4; n++) verdicts.push((await limits.decide(fresh, plan, "costs")).verdict);
  expect(verdicts).toEqual(["admitted", "admitted", "rate_limited", "rate_limited"]);
  expect((await limitsOf(50).decide(fresh, plan, "costs")).verdict).toBe("admitted");
});

test("the quota goes on from where the account stood, and what it owes is taken once", async () => {
  const limits = limitsOf(1);
  for (let n = 0; n < 5; n++) await limits.decide(caller, plan, "costs");
  expect(await limits.decide(caller, plan, "costs")).toMatchObject({
    verdict: "quota_exceeded",
    standing: { month: { used: 100 } },
  });
  expect((await limits.decide(caller, plan, "free")).verdict).toBe("admitted");
  expect(limits.takeOwed()).toEqual([{ handle: "h", endsAt: JULY, requests: 5 }]);
  expect(limits.takeOwed()).toEqual([]);
});

test("what Redis may have counted is not owed", async () => {
  const limits = limitsOf(1);
  expect(await limits.decide(caller, plan, "counted")).toMatchObject({
    verdict: "admitted",
    standing: { month: { used: 96 } },
  });
  expect(limits.takeOwed()).toEqual([]);
});

test("what is given back can be used again and is not owed", async () => {
  const limits = limitsOf(10);
  await limits.decide(fresh, plan, "costs");
  expect((await limits.decide(fresh, plan, "costs")).verdict).toBe("rate_limited");
  await limits.giveBack(fresh, plan, { burst: 1, month: 1 });
  await limits.giveBack(fresh, plan, { burst: 1, month: 0 });
  expect((await limits.decide(fresh, plan, "free")).verdict).toBe("admitted");
  expect(limits.takeOwed()).toEqual([]);
});

test("a month that ends meanwhile begins anew", async () => {
  let now = JULY - 1;
  const limits = limitsOf(1, () => now);
  const spent = { ...caller, month: { limit: 100, used: 100, resetsAt: JULY } };
  expect((await limits.decide(spent, plan, "costs")).verdict).toBe("quota_exceeded");
  now = JULY;
  expect((await limits.decide(spent, plan, "costs")).standing.month).toMatchObject({ used: 1 });
});
