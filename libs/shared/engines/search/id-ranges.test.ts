import { expect, test } from "vitest";
import { boundsOf, rangesOf } from "./id-ranges.ts";

test("ranges have about as many of the sampled ids each", () => {
  const sample = Array.from({ length: 100 }, (_, n) => `c${String(n).padStart(3, "0")}`).toReversed();
  expect(boundsOf(sample, 4)).toEqual(["c025", "c050", "c075"]);
});

test("too few ids for the ranges give fewer ranges, and none gives one", () => {
  expect(boundsOf(["b", "a"], 4)).toEqual(["a", "b"]);
  expect(boundsOf([], 4)).toEqual([]);
  expect(rangesOf([])).toEqual([{ after: null, last: null }]);
});

test("every id is in one range", () => {
  expect(rangesOf(["f", "m"])).toEqual([
    { after: null, last: "f" },
    { after: "f", last: "m" },
    { after: "m", last: null },
  ]);
});
