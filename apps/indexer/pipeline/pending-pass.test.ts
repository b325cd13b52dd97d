import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deriveAllPending } from "./pending-pass.ts";

// Vitest's clock drives only global timers.
vi.mock("node:timers/promises", () => ({ setTimeout: (ms: number) => new Promise((done) => setTimeout(done, ms)) }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts of the batches of a pass, and its end, in ms. Each batch takes 2,000; ingest jobs wait until `busyUntil`. */
async function timesOf(documents: number, busyUntil: number, courtesy = 9): Promise<number[]> {
  const start = performance.now();
  const now = () => Math.round(performance.now() - start);
  const times: number[] = [];
  const ids = Array.from({ length: documents }, (_, n) => ({ id: `i${n}`, ticket: 1 }));
  const pending = {
    async *pages() {
      yield ids;
    },
    forget: async () => {},
  };
  const derive = async () => {
    times.push(now());
    await pause(2000);
  };
  const pass = deriveAllPending([{ pending: pending as never, derive }], {
    isBusy: async () => now() < busyUntil,
    until: new AbortController().signal,
    courtesy,
    enqueue: async () => expect.unreachable(),
  }).then(() => times.push(now()));
  await vi.advanceTimersByTimeAsync(120_000);
  await pass;
  return times;
}

test("while records wait, a pass rests in proportion to its work after a full batch, and shortly after another", async () => {
  expect(await timesOf(501, 1_000_000)).toEqual([0, 20_000, 25_000]);
});

test("a rest ends soon after the last record", async () => {
  expect(await timesOf(501, 5000)).toEqual([0, 5000, 7000]);
});

test("a rest that is shorter than a look at the jobs is not prolonged", async () => {
  expect(await timesOf(501, 1_000_000, 0.1)).toEqual([0, 2200, 4400]);
});
