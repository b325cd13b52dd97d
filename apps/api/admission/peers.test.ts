import { expect, test } from "vitest";
import { createRecentCounts } from "./peers.ts";

test("before Redis has answered, the API processes of this machine count", () => {
  expect(createRecentCounts(4).highest()).toBe(4);
});

test("a count below the API processes of this machine is not believed", () => {
  const counts = createRecentCounts(4);
  counts.add(1);
  expect(counts.highest()).toBe(4);
});

test("a higher count holds at once, a lower one after a burst window of answers", () => {
  const counts = createRecentCounts(1);
  counts.add(8);
  counts.add(9);
  expect(counts.highest()).toBe(9);
  // One answer every 5 s.
  for (let n = 0; n < 12; n++) counts.add(3);
  expect(counts.highest()).toBe(9);
  counts.add(3);
  expect(counts.highest()).toBe(3);
});
