import { DEFAULT_PLANS, type Plans } from "@tranche/shared/accounts/plans";
import { expect, test } from "vitest";
import { invalidParameters } from "../errors/api-error.ts";
import { createPriceLists } from "./price-list.ts";

const fine = () => undefined;
const refusal = invalidParameters([{ parameter: "limit", code: "malformed_value", message: "Too large." }]);

test("requests that no plan refuses share a price list with those of the same cost", () => {
  const priceListOf = createPriceLists(() => DEFAULT_PLANS);
  expect(priceListOf(fine, 1)).toBe(priceListOf(() => undefined, 1));
  expect(priceListOf(fine, 0)).toBe(priceListOf(fine, 0));
  for (const each of [0, 1, 7]) {
    expect(priceListOf(fine, each).prices.map(({ cost }) => cost)).toEqual([each, each, each]);
  }
});

test("a request costs no quota on a plan that refuses it", () => {
  const priceList = createPriceLists(() => DEFAULT_PLANS)((plan) => (plan.name === "Starter" ? refusal : undefined), 3);
  expect(priceList.prices.map(({ plan, cost }) => [plan, cost])).toEqual([
    ["starter", 0],
    ["growth", 3],
    ["scale", 3],
  ]);
  expect(priceList.terms.get("starter")).toMatchObject({ refusal, cost: 0 });
});

test("changed plans apply to the next request", () => {
  let plans: Plans = DEFAULT_PLANS;
  const priceListOf = createPriceLists(() => plans);
  priceListOf(fine, 1);
  plans = { only: { name: "Only", max_limit: 5, burst: 7, quota: 9, export: true, webhooks: 1, provenance: false } };
  expect(priceListOf(fine, 1).prices).toEqual([{ plan: "only", burst: 7, quota: 9, cost: 1 }]);
});
