import { expect, test } from "vitest";
import { boundsOf, rangesOf, sliceCount } from "./slice-ranges.ts";

test("a small installation has a slice per page, a larger one at least 16, and none has more than 256", () => {
  expect([0, 1, 400, 401, 4000, 100_000, 400_000, 10_000_000].map((records) => sliceCount(records, 400))).toEqual([
    1, 1, 1, 2, 10, 16, 40, 256,
  ]);
});

test("slices have about as many of the sampled ids each", () => {
  const sample = Array.from({ length: 100 }, (_, n) => `c${String(n).padStart(3, "0")}`).toReversed();
  expect(boundsOf(sample, 4)).toEqual(["c025", "c050", "c075"]);
});

test("too few ids for the slices give fewer slices, and none gives one", () => {
  expect(boundsOf(["b", "a"], 4)).toEqual(["a", "b"]);
  expect(boundsOf([], 4)).toEqual([]);
  expect(rangesOf([])).toEqual([{ after: null, last: null }]);
});

test("every id is in one slice", () => {
  expect(rangesOf(["f", "m"])).toEqual([
    { after: null, last: "f" },
    { after: "f", last: "m" },
    { after: "m", last: null },
  ]);
});
