import { expect, test } from "vitest";
import { standstillText } from "./standstill.ts";

const STATE = { queue: "rebuild", paused: false, workers: 1, active: 1, waiting: 0 };

test("a standstill is put down to a missing indexer only where none is connected", () => {
  expect(standstillText({ ...STATE, workers: 0, active: 0 }, 10)).toBe(
    "No progress for 10 s: no indexer is connected. Start one with `npm run indexer`. Waiting …",
  );
  expect(standstillText(STATE, 10)).toBe(
    "No progress for 10 s: an indexer is connected and working on it; the indexer's log says more. Waiting …",
  );
  expect(standstillText({ ...STATE, workers: 2, active: 0, waiting: 1 }, 10)).toContain(
    "2 indexers are connected but not free for it yet",
  );
  expect(standstillText({ ...STATE, active: 0 }, 10)).toContain("taken up again within a minute");
  expect(standstillText({ ...STATE, paused: true }, 10)).toContain("the queue 'rebuild' is paused");
});
