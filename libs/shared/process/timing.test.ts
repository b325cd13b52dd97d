import { expect, test } from "vitest";
import { createTiming } from "./timing.ts";

test("every pause is the same part of the usual one, and none is 0", () => {
  expect(createTiming(1).ingestBatch).toBe(1000);
  expect(createTiming(0.1).ingestBatch).toBe(100);
  expect(Math.min(...Object.values(createTiming(0.01)))).toBeGreaterThan(0);
});
