import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createKeyLookUps } from "./key-look-ups.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A store with one key, and the requests that it got. */
function storeOf(...keys: string[]) {
  const requests: (readonly string[])[] = [];
  const read = async (hashes: readonly string[]) => {
    requests.push(hashes);
    return new Set(hashes.filter((hash) => keys.includes(hash)));
  };
  return { requests, exists: createKeyLookUps(read) };
}

test("a right key is found at its first request, among any number of wrong ones", async () => {
  const { requests, exists } = storeOf("right");
  const wrong = Array.from({ length: 5000 }, (_, n) => exists(`wrong ${n % 2500}`));
  const right = exists("right");
  await vi.advanceTimersByTimeAsync(600);
  expect(await right).toBe(true);
  expect(new Set(await Promise.all(wrong))).toEqual(new Set([false]));
  expect(requests.map(({ length }) => length)).toEqual([1000, 1000, 501]);
});

test("the store gets at most five requests in a second, and none when nothing comes", async () => {
  const { requests, exists } = storeOf();
  for (let ms = 0; ms < 2000; ms += 10) {
    void exists(`${ms}`);
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(5000);
  expect(requests.length).toBeLessThanOrEqual(10);
  expect(requests.flat()).toHaveLength(200);
});

test("at most 10,000 wait, and a failure is that of all who wait for it", async () => {
  const exists = createKeyLookUps(async () => {
    throw new Error("away");
  });
  const waiting = Array.from({ length: 10_000 }, (_, n) => exists(`${n}`).catch((error: Error) => error.message));
  expect(() => exists("more")).toThrow(expect.objectContaining({ code: "unavailable" }));
  await vi.advanceTimersByTimeAsync(2000);
  expect(new Set(await Promise.all(waiting))).toHaveLength(1);
});
