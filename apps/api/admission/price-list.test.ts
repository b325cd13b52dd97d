import { DEFAULT_PLANS, type Plans } from "@tranche/shared/accounts/plans";
import { expect, test } from "vitest";
import { invalidParameters } from "../errors/api-error.ts";
import { createPriceLists } from "./price-list.ts";

const fine = () => undefined;
const refusal = invalidParameters([{ parameter: "limit", code: "malformed_value", message: "Too large." }]);

test("requests that no plan refuses share a price list, free ones share another", () => {
  const priceListOf = createPriceLists(() => DEFAULT_PLANS);
  expect(priceListOf(fine)).toBe(priceListOf(() => undefined));
  expect(priceListOf(fine, "free")).toBe(priceListOf(fine, "free"));
  expect(priceListOf(fine).prices.map(({ costsQuota }) => costsQuota)).toEqual([true, true, true]);
  expect(priceListOf(fine, "free").prices.map(({ costsQuota }) => costsQuota)).toEqual([false, false, false]);
});

test("a request costs no quota on a plan that refuses it", () => {
  const priceList = createPriceLists(() => DEFAULT_PLANS)((plan) => (plan.name === "Starter" ? refusal : undefined));
  expect(priceList.prices.map(({ plan, costsQuota }) => [plan, costsQuota])).toEqual([
    ["starter", false],
    ["growth", true],
    ["scale", true],
  ]);
  expect(priceList.terms.get("starter")).toMatchObject({ refusal, costsQuota: false });
});

test("changed plans apply to the next request", () => {
  let plans: Plans = DEFAULT_PLANS;
  const priceListOf = createPriceLists(() => plans);
  priceListOf(fine);
  plans = { only: { name: "Only", max_limit: 5, burst: 7, quota: 9, export: true, webhooks: 1 } };
  expect(priceListOf(fine).prices).toEqual([{ plan: "only", burst: 7, quota: 9, costsQuota: true }]);
});
