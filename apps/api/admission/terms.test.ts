import { DEFAULT_PLANS, type Plans } from "@tranche/shared/accounts/plans";
import { expect, test } from "vitest";
import { invalidParameters } from "../errors/api-error.ts";
import { createTerms } from "./terms.ts";

const fine = () => undefined;
const refusal = invalidParameters([{ parameter: "limit", code: "malformed_value", message: "Too large." }]);

test("requests that nothing refuses share their terms, those that are free share others", () => {
  const termsOf = createTerms(() => DEFAULT_PLANS);
  expect(termsOf(fine)).toBe(termsOf(() => undefined));
  expect(termsOf(fine, "free")).toBe(termsOf(fine, "free"));
  expect(termsOf(fine).offers.map(({ costsQuota }) => costsQuota)).toEqual([true, true, true]);
  expect(termsOf(fine, "free").offers.map(({ costsQuota }) => costsQuota)).toEqual([false, false, false]);
});

test("a request that some plan refuses costs no quota there", () => {
  const terms = createTerms(() => DEFAULT_PLANS)((plan) => (plan.name === "Starter" ? refusal : undefined));
  expect(terms.offers.map(({ plan, costsQuota }) => [plan, costsQuota])).toEqual([
    ["starter", false],
    ["growth", true],
    ["scale", true],
  ]);
  expect(terms.of.get("starter")).toMatchObject({ refusal, costsQuota: false });
});

test("plans that changed hold for the next request", () => {
  let plans: Plans = DEFAULT_PLANS;
  const termsOf = createTerms(() => plans);
  termsOf(fine);
  plans = { only: { name: "Only", max_limit: 5, burst: 7, quota: 9 } };
  expect(termsOf(fine).offers).toEqual([{ plan: "only", burst: 7, quota: 9, costsQuota: true }]);
});
