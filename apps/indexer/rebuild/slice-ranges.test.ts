import { expect, test } from "vitest";
import { sliceCount } from "./slice-ranges.ts";

test("a small installation has a slice per page, a larger one at least 16, and none has more than 256", () => {
  expect([0, 1, 400, 401, 4000, 100_000, 400_000, 10_000_000].map((records) => sliceCount(records, 400))).toEqual([
    1, 1, 1, 2, 10, 16, 40, 256,
  ]);
});
