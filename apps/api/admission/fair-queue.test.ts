import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

test("callers take turns, each in the order of its own items", () => {
  const queue = createFairQueue(10);
  for (const item of ["a1", "a2", "a3", "a4"]) queue.add("a", item);
  for (const item of ["b1", "b2"]) queue.add("b", item);
  expect(queue.take(3)).toEqual(["a1", "b1", "a2"]);
  queue.add("c", "c1");
  expect(queue.take(10)).toEqual(["b2", "a3", "c1", "a4"]);
  expect([queue.size, queue.take(1)]).toEqual([0, []]);
});

test("without room, the caller with the most leaves its newest item", () => {
  const queue = createFairQueue(4);
  for (const item of ["a1", "a2", "a3", "a4"]) expect(queue.add("a", item)).toBeUndefined();
  expect(queue.add("a", "a5")).toBe("a5");
  expect(queue.add("b", "b1")).toBe("a4");
  expect(queue.add("b", "b2")).toBe("a3");
  expect(queue.add("b", "b3"), "both have as many").toBe("b3");
  expect(queue.add("c", "c1")).toMatch(/^[ab]2$/);
  expect(queue.size).toBe(4);
  expect(queue.take(4)).toHaveLength(4);
});

test("callers with one item each lose it to nobody", () => {
  const queue = createFairQueue(2);
  queue.add("a", "a1");
  queue.add("b", "b1");
  expect(queue.add("c", "c1")).toBe("c1");
  expect(queue.take(2)).toEqual(["a1", "b1"]);
});
