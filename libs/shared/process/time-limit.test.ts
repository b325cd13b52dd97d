import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TooLate, withTimeLimit } from "./time-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a promise that settles in time keeps its result and leaves no timer", async () => {
  await expect(withTimeLimit(Promise.resolve(1), 100)).resolves.toBe(1);
  await expect(withTimeLimit(Promise.reject(new Error("bad")), 100)).rejects.toThrow("bad");
  expect(vi.getTimerCount()).toBe(0);
});

test("a promise that takes too long rejects with the limit", async () => {
  const limited = expect(withTimeLimit(new Promise(() => {}), 100)).rejects.toThrow(
    new TooLate("no answer within 100 ms"),
  );
  await vi.advanceTimersByTimeAsync(100);
  await limited;
});
