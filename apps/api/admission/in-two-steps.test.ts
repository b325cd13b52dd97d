import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { ApiError } from "../errors/api-error.ts";
import type { Admit } from "./admit.ts";
import { type CallerRequest, type Charge, costOf, recordCharge } from "./charge.ts";
import { inTwoSteps } from "./in-two-steps.ts";
import { settlePart } from "./settle.ts";

const plan = DEFAULT_PLANS["scale"]!;

/** An account of which so much of the quota is left. */
function account(left: number) {
  const limits = () => ({
    at: 0,
    burst: { limit: 10, used: 1, resetsAt: 1 },
    month: { limit: plan.quota, used: plan.quota - left, resetsAt: 1 },
    own: { limit: 1000, used: 0, resetsAt: 1 },
  });
  const refund = async (count: number) => void (left += count);
  const charge: Charge = {
    handle: "acc",
    keyId: "k",
    keyHash: "h",
    limits: limits(),
    month: 0,
    refund,
    async further(count) {
      const charged = count <= left;
      if (charged) left -= count;
      return { charged, limits: limits(), refund };
    },
  };
  const admit: Admit = async (request, refusalOf, cost) => {
    expect(cost).toEqual({ requests: 0 });
    const refusal = refusalOf(plan);
    if (refusal) throw refusal;
    recordCharge(request, charge);
    return { account: "acc", planId: "scale", plan, limits: charge.limits };
  };
  const request: CallerRequest = { req: {} as IncomingMessage, ip: "", state: {} };
  return { ...inTwoSteps(admit), request, left: () => left };
}
const accepted = () => undefined;

test("entering costs nothing of the quota; a part is charged once, and given back unless its status costs it", async () => {
  const { enter, charge, request, left } = account(5);
  await enter(request);
  expect([costOf(request), left()]).toEqual([0, 5]);
  await charge(request, accepted);
  await charge(request, accepted);
  expect([costOf(request), left()]).toEqual([1, 4]);
  await settlePart(request, 404);
  expect(left()).toBe(4);
  await settlePart(request, 503);
  expect([costOf(request), left()]).toEqual([0, 5]);
});

test("a part that is refused, or costs more than is left, costs nothing", async () => {
  const { enter, charge, request, left } = account(3);
  await enter(request);
  await expect(charge(request, () => new ApiError("not_acceptable", "x"))).rejects.toMatchObject({ status: 406 });
  await expect(charge(request, accepted, { requests: 4 })).rejects.toMatchObject({
    code: "quota_exceeded",
    message: expect.stringContaining("This request costs 4 requests; 3 of the") as string,
  });
  expect([costOf(request), left()]).toEqual([0, 3]);
  await charge(request, accepted, { requests: 3 });
  await expect(account(0).enter(request)).resolves.toBeDefined();
  expect(left()).toBe(0);
});
