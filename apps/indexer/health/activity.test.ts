import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createActivity } from "./activity.ts";

const MINUTE = 60_000;

test("without work nothing is silent, however long it lasts", async () => {
  let now = 0;
  const activity = createActivity(() => now);
  await activity.track("ingest", () => Promise.resolve(1));
  await activity.track("ingest", () => Promise.reject(new Error("no"))).catch(() => {});
  now = 1000 * MINUTE;
  expect(activity.silentFor(MINUTE)).toEqual([]);
  expect(activity.of("ingest")).toMatchObject({ open: 0, begun: 2 });
});

test("work is silent when nothing happens, and active when an engine answers it", async () => {
  let now = 0;
  const activity = createActivity(() => now);
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = activity.track("ingest", async () => {
    for (const { promise } of answers) {
      await promise;
      activity.heartbeat();
    }
  });
  now = MINUTE;
  expect(activity.silentFor(MINUTE)).toEqual([]);
  now++;
  expect(activity.silentFor(MINUTE)).toEqual(["ingest"]);
  answers[0]!.resolve();
  await setImmediate();
  expect(activity.silentFor(MINUTE)).toEqual([]);
  now += 2 * MINUTE;
  answers[1]!.resolve();
  await work;
  expect(activity.silentFor(MINUTE)).toEqual([]);
});

test("neither the answers to others nor other queues hide a hang; a wait of the whole process does", async () => {
  let now = 0;
  const activity = createActivity(() => now);
  const { promise, resolve } = Promise.withResolvers<void>();
  const hangs = activity.track("derive", () => promise);
  now = 2 * MINUTE;
  activity.heartbeat();
  await activity.track("ingest", async () => activity.heartbeat());
  expect(activity.silentFor(MINUTE)).toEqual(["derive"]);
  activity.heartbeatAll();
  expect(activity.silentFor(MINUTE)).toEqual([]);
  resolve();
  await hangs;
});
