import { expect, test, vi } from "vitest";
import { LeftToOthers } from "../rebuild/share-out.ts";
import { untilJobsEnd } from "./under-way.ts";

/** A queue with jobs in states, which the test changes. */
function queueOf(states: Record<string, string[]>) {
  return { states, getRanges: async (asked: string[]) => asked.flatMap((state) => states[state] ?? []) };
}
const far = () => ({ withinMs: 60_000, lookEveryMs: 200, until: new AbortController().signal });

test("without jobs under way there is nothing to wait for, however many records wait", async () => {
  const queue = queueOf({ waiting: ["1", "2"] });
  expect(await untilJobsEnd([{ queue, onlyStarted: true }], far())).toBe(false);
});

test("it waits for the jobs in progress, also when one is requeued, and not for later jobs", async () => {
  vi.useFakeTimers();
  try {
    const ingest = queueOf({ active: ["1", "2"] });
    const derive = queueOf({ waiting: ["7"] });
    let ended: boolean | undefined;
    const waiting = untilJobsEnd(
      [
        { queue: ingest, onlyStarted: true },
        { queue: derive, onlyStarted: false },
      ],
      far(),
    ).then((waited) => (ended = waited));
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended).toBeUndefined();
    ingest.states["active"] = ["3"];
    ingest.states["waiting"] = ["2"];
    derive.states["waiting"] = ["8"];
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended).toBeUndefined();
    ingest.states["waiting"] = ["4"];
    await vi.advanceTimersByTimeAsync(1000);
    await waiting;
    expect(ended).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("it stops waiting at the given time", async () => {
  expect(
    await untilJobsEnd([{ queue: queueOf({ active: ["1"] }), onlyStarted: true }], { ...far(), withinMs: 300 }),
  ).toBe(true);
});

test("it ends with the process", async () => {
  const until = AbortSignal.timeout(100);
  const waiting = untilJobsEnd([{ queue: queueOf({ active: ["1"] }), onlyStarted: true }], { ...far(), until });
  await expect(waiting).rejects.toThrow(LeftToOthers);
});
