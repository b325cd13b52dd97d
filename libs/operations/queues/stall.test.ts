import { expect, test } from "vitest";
import { stallText } from "./stall.ts";

const STATE = { queue: "rebuild", paused: false, workers: 1, active: 1, waiting: 0 };

test("a stall is blamed on a missing indexer only if none is connected", () => {
  expect(stallText({ ...STATE, workers: 0, active: 0 }, 10)).toBe(
    "No progress for 10 s: no indexer is connected. Start one with `npm run indexer`. Waiting …",
  );
  expect(stallText(STATE, 10)).toBe(
    "No progress for 10 s: an indexer is connected and working on it; the indexer's log says more. Waiting …",
  );
  expect(stallText({ ...STATE, workers: 2, active: 0, waiting: 1 }, 10)).toContain(
    "2 indexers are connected but not free for it yet",
  );
  expect(stallText({ ...STATE, active: 0 }, 10)).toContain("taken up again within a minute");
  expect(stallText({ ...STATE, paused: true }, 10)).toContain("the queue 'rebuild' is paused");
});
