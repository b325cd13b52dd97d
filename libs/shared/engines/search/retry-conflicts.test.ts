import { expect, test } from "vitest";
import { retryConflicts } from "./retry-conflicts.ts";

/** Work that somebody else forestalls so many times, and the pauses it waited. */
async function forestalled(times: number) {
  const pauses: number[] = [];
  let attempts = 0;
  const attempt = async () => (++attempts > times ? "written" : undefined);
  const done = await retryConflicts(attempt, async (ms) => void pauses.push(ms));
  return { done, attempts, pauses };
}

test("work is tried 6 times in all", async () => {
  expect(await forestalled(0)).toEqual({ done: "written", attempts: 1, pauses: [] });
  expect(await forestalled(5)).toMatchObject({ done: "written", attempts: 6 });
  expect(await forestalled(6)).toMatchObject({ done: undefined, attempts: 6 });
});

test("the pauses are at random, within bounds that double", async () => {
  const all = await Promise.all(Array.from({ length: 50 }, () => forestalled(9)));
  for (const { pauses } of all)
    for (const [n, ms] of pauses.entries()) {
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThanOrEqual(25 * 2 ** n);
    }
  expect(new Set(all.map(({ pauses }) => pauses[0])).size).toBeGreaterThan(1);
});
