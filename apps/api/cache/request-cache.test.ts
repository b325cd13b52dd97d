import { expect, test } from "vitest";
import { createRequestCache } from "./request-cache.ts";

test("a value is found again by the request", () => {
  const cache = createRequestCache<{ n: number }>();
  expect(cache.set("a", { n: 1 })).toBe(true);
  expect([cache.get("a"), cache.get("b")]).toEqual([{ n: 1 }, undefined]);
});

test("a request of more than 2,048 characters is not cached", () => {
  const cache = createRequestCache<{ n: number }>();
  expect([cache.set("a".repeat(2048), { n: 1 }), cache.set("a".repeat(2049), { n: 2 })]).toEqual([true, false]);
  expect(cache.get("a".repeat(2049))).toBeUndefined();
});
