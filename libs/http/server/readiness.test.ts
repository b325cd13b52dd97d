import { expect, test, vi } from "vitest";
import { createReadiness } from "./readiness.ts";

/** A process whose engines answer or fail, under a clock of its own. */
function process(graceMs: number) {
  const is = { now: 0, away: false };
  const readiness = createReadiness({
    ask: async () => {
      if (is.away) throw new Error("away");
    },
    graceMs,
    now: () => is.now,
    askEveryMs: 0,
  });
  const ready = () =>
    readiness.check().then(
      () => true,
      () => false,
    );
  return { is, ready, drain: readiness.drain };
}

test("a process is not ready before its engines have answered once, whatever the grace", async () => {
  const { is, ready } = process(60_000);
  is.away = true;
  expect(await ready()).toBe(false);
  is.away = false;
  expect(await ready()).toBe(true);
});

test("a process stays ready through a short outage, counted from the first failure and not from the last success", async () => {
  const { is, ready } = process(60_000);
  expect(await ready()).toBe(true);
  is.now = 1_000_000;
  is.away = true;
  expect(await ready()).toBe(true);
  is.now += 59_999;
  expect(await ready()).toBe(true);
  is.now += 1;
  expect(await ready()).toBe(false);
  is.away = false;
  expect(await ready()).toBe(true);
  is.away = true;
  expect(await ready()).toBe(true);
});

test("each outage has its own grace", async () => {
  const { is, ready } = process(10);
  await ready();
  for (const at of [100, 200, 300]) {
    is.now = at;
    is.away = true;
    expect(await ready()).toBe(true);
    is.now = at + 9;
    expect(await ready()).toBe(true);
    is.away = false;
    expect(await ready()).toBe(true);
  }
});

test("a process is not ready once it drains, with engines that answer", async () => {
  const { ready, drain } = process(60_000);
  expect(await ready()).toBe(true);
  drain();
  expect(await ready()).toBe(false);
});

test("a process is not ready when it begins to drain while it asks", async () => {
  const asked = Promise.withResolvers<void>();
  const readiness = createReadiness({ ask: () => asked.promise, graceMs: 60_000 });
  const check = readiness.check();
  readiness.drain();
  asked.resolve();
  await expect(check).rejects.toThrow("about to end");
});

test("answers for an engine that hangs, within 2 s", async () => {
  vi.useFakeTimers();
  try {
    const answers = [Promise.resolve(), new Promise<void>(() => {}), new Promise<void>(() => {})];
    const readiness = createReadiness({ ask: () => answers.shift()!, graceMs: 30_000, askEveryMs: 0 });
    await readiness.check();
    const during = readiness.check();
    await vi.advanceTimersByTimeAsync(1999);
    await during;
    vi.setSystemTime(Date.now() + 30_000);
    const after = expect(readiness.check()).rejects.toThrow("no answer within");
    await vi.advanceTimersByTimeAsync(1999);
    await after;
  } finally {
    vi.useRealTimers();
  }
});

test("an outage whose end nobody saw does not count for the next", async () => {
  const { is, ready } = process(60_000);
  await ready();
  is.away = true;
  expect(await ready()).toBe(true);
  is.now += 3_600_000;
  expect(await ready()).toBe(true);
  for (let s = 0; s < 6; s++) {
    is.now += 10_000;
    expect(await ready()).toBe(s < 5);
  }
});
