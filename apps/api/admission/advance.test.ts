import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createAdvance } from "./advance.ts";

/** What was written: how many requests are given back if the process is killed, and how many now. */
let written: [undelivered: number | undefined, back: number][];
let undelivered: number;
let away: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  [written, undelivered, away] = [[], 9, false];
});
const create = () =>
  createAdvance(
    async (...note) => {
      if (away) throw new Error("away");
      written.push(note);
    },
    () => undelivered,
    30_000,
  );

test("an advance follows what is delivered until it ends, and is given back once", async () => {
  const advance = create();
  await vi.advanceTimersByTimeAsync(10_000);
  undelivered = 4;
  await vi.advanceTimersByTimeAsync(10_000);
  await advance.end(3);
  await advance.end(9);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written).toEqual([
    [9, 0],
    [4, 0],
    [undefined, 3],
  ]);
});

test("an end that Redis did not get is written again when it is back", async () => {
  const advance = create();
  away = true;
  await advance.end(2);
  await vi.advanceTimersByTimeAsync(25_000);
  expect(written).toEqual([]);
  away = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written).toEqual([[undefined, 2]]);
});
