import { expect, test } from "vitest";
import { createActivity } from "./activity.ts";

const MINUTE = 60_000;

test("without work nothing is stuck, however long it lasts", async () => {
  let now = 0;
  const activity = createActivity(() => now);
  await activity.track(() => Promise.resolve(1));
  await activity.track(() => Promise.reject(new Error("no"))).catch(() => {});
  now = 1000 * MINUTE;
  expect(activity.isStuck()).toBe(false);
});

test("work is stuck when nothing happens for five minutes, and goes on when an engine answers", async () => {
  let now = 0;
  const activity = createActivity(() => now);
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = activity.track(() => promise);
  now = 5 * MINUTE;
  expect(activity.isStuck()).toBe(false);
  now++;
  expect(activity.isStuck()).toBe(true);
  activity.note();
  expect(activity.isStuck()).toBe(false);
  now += 6 * MINUTE;
  expect(activity.isStuck()).toBe(true);
  resolve();
  await work;
  expect(activity.isStuck()).toBe(false);
});
