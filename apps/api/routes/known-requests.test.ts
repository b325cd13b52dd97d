import { expect, test } from "vitest";
import { createKnownRequests } from "./known-requests.ts";

test("what is known of a request is found again by what was sent", () => {
  const known = createKnownRequests<{ n: number }>();
  expect(known.set("a", { n: 1 })).toBe(true);
  expect([known.get("a"), known.get("b")]).toEqual([{ n: 1 }, undefined]);
});

test("a request of more than 2,048 letters is not remembered", () => {
  const known = createKnownRequests<{ n: number }>();
  expect([known.set("a".repeat(2048), { n: 1 }), known.set("a".repeat(2049), { n: 2 })]).toEqual([true, false]);
  expect(known.get("a".repeat(2049))).toBeUndefined();
});
