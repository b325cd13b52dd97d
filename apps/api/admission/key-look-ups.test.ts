import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createKeyLookUps } from "./key-look-ups.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FLOODING = "203.0.113.7";
const OTHER = "203.0.113.8";

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
  const wrong = Array.from({ length: 5000 }, (_, n) => exists(`wrong ${n % 2500}`, FLOODING));
  const right = exists("right", FLOODING);
  await vi.advanceTimersByTimeAsync(600);
  expect(await right).toBe(true);
  expect(new Set(await Promise.all(wrong))).toEqual(new Set([false]));
  expect(requests.map(({ length }) => length)).toEqual([1000, 1000, 501]);
});

test("the store gets at most five requests in a second, and none when nothing comes", async () => {
  const { requests, exists } = storeOf();
  for (let ms = 0; ms < 2000; ms += 10) {
    void exists(`${ms}`, FLOODING);
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
  const waiting = Array.from({ length: 10_000 }, (_, n) =>
    exists(`${n}`, FLOODING).catch((error: Error) => error.message),
  );
  await expect(exists("more", FLOODING)).rejects.toMatchObject({ code: "unavailable" });
  await vi.advanceTimersByTimeAsync(2000);
  expect(new Set(await Promise.all(waiting))).toHaveLength(1);
});

test("a right key is found with the next request, however many wrong ones another address sends", async () => {
  const { requests, exists } = storeOf("right");
  const wrong = Array.from({ length: 20_000 }, (_, n) => exists(`wrong ${n}`, FLOODING).catch(() => undefined));
  const right = exists("right", OTHER);
  await vi.advanceTimersByTimeAsync(200);
  expect(await right).toBe(true);
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect((await Promise.all(wrong)).filter((found) => found === undefined)).toHaveLength(10_001);
});
