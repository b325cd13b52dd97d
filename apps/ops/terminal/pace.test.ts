import { expect, test } from "vitest";
import { rateOf, type Sample, secondsLeft, withSample } from "./pace.ts";

const after = (...samples: [at: number, value: number][]) =>
  samples.reduce<Sample[]>((all, [at, value]) => withSample(all, { at, value }), []);

test("rate and remaining time are those of the last ten seconds", () => {
  const steady = after([0, 0], [1000, 100], [2000, 200]);
  expect([rateOf(steady), secondsLeft(steady, 1000)]).toEqual([100, 8]);
  const slower = after([0, 0], [1000, 1000], [11_000, 1100], [12_000, 1110], [21_000, 1200]);
  expect(rateOf(slower)).toBe(10);
});

test("there is no rate before a second has passed, and no remaining time while nothing moves", () => {
  expect(rateOf(after([0, 0], [900, 50]))).toBeUndefined();
  const still = after([0, 50], [15_000, 50], [30_000, 50]);
  expect([rateOf(still), secondsLeft(still, 100)]).toEqual([0, undefined]);
});
