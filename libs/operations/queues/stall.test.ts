import type { Queue } from "bullmq";
import { afterEach, expect, test, vi } from "vitest";
import { stallText, watchForStall } from "./stall.ts";

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

afterEach(() => void vi.useRealTimers());

/** A queue with so many connected indexers, all at work. */
const queueWith = (workers: number) =>
  ({
    name: "rebuild",
    isPaused: async () => false,
    getWorkersCount: async () => workers,
    getJobCounts: async () => ({ active: workers }),
  }) as unknown as Queue;

/** Seconds without progress after which a stall is reported, looked at every second for two minutes. */
async function reportedAfter(workers: number): Promise<number[]> {
  vi.useFakeTimers();
  const reports: number[] = [];
  const began = Date.now();
  const look = watchForStall(queueWith(workers), () => reports.push((Date.now() - began) / 1000));
  for (let second = 0; second < 120; second++) {
    await look("the same");
    vi.advanceTimersByTime(1000);
  }
  return reports;
}

test("a stall is reported once: after 10 s without an indexer, after a minute with one", async () => {
  expect(await reportedAfter(0)).toEqual([10]);
  expect(await reportedAfter(1)).toEqual([60]);
});

test("a look that comes late names the whole seconds that have passed", async () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const look = watchForStall(queueWith(0), (line) => lines.push(line));
  await look("the same");
  vi.advanceTimersByTime(10_900);
  await look("the same");
  expect(lines).toEqual([expect.stringContaining("No progress for 10 s: ")]);
});
