import { DEFAULT_PLANS, type Plans } from "@tranche/shared/accounts/plans";
import { expect, test } from "vitest";
import { invalidParameters } from "../errors/api-error.ts";
import { createPriceLists } from "./price-list.ts";

const fine = () => undefined;
const refusal = invalidParameters([{ parameter: "limit", code: "malformed_value", message: "Too large." }]);

test("requests that no plan refuses share a price list with those of the same cost", () => {
  const priceListOf = createPriceLists(() => DEFAULT_PLANS);
  expect(priceListOf(fine, { requests: 1 })).toBe(priceListOf(() => undefined, { requests: 1 }));
  expect(priceListOf(fine, { requests: 0 })).toBe(priceListOf(fine, { requests: 0 }));
  expect(priceListOf(fine, { requests: 1, own: true })).toBe(priceListOf(fine, { requests: 1, own: true }));
  for (const each of [0, 1, 7]) {
    expect(priceListOf(fine, { requests: each }).prices.map(({ cost }) => cost)).toEqual([each, each, each]);
  }
});

test("a request costs no quota on a plan that refuses it", () => {
  const priceList = createPriceLists(() => DEFAULT_PLANS)((plan) => (plan.name === "Starter" ? refusal : undefined), {
    requests: 3,
  });
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
  priceListOf(fine, { requests: 1 });
  plans = { only: { name: "Only", max_limit: 5, burst: 7, quota: 9, export: true, webhooks: 1, provenance: false } };
  const price = { plan: "only", burst: 7, quota: 9, cost: 1, pool: 1000 };
  expect(priceListOf(fine, { requests: 1 }).prices).toEqual([{ ...price, pooled: false }]);
  expect(priceListOf(fine, { requests: 1, own: true }).prices).toEqual([{ ...price, pooled: true }]);
});

test("only a request that costs one comes out of the own pool, which is a tenth of the quota and at least 1,000", () => {
  const priceListOf = createPriceLists(() => DEFAULT_PLANS);
  const pools = (requests: number) =>
    priceListOf(fine, { requests, own: true }).prices.map(({ pool, pooled }) => [pool, pooled]);
  expect(pools(1)).toEqual([1000, 10_000, 100_000].map((size) => [size, true]));
  expect(pools(2)).toEqual([1000, 10_000, 100_000].map((size) => [size, false]));
  expect(pools(0).every(([, pooled]) => pooled === false)).toBe(true);
});
