import { expect, test } from "vitest";
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

test("is not ready before its engines have answered once, whatever the grace", async () => {
  const { is, ready } = process(60_000);
  is.away = true;
  expect(await ready()).toBe(false);
  is.away = false;
  expect(await ready()).toBe(true);
});

test("stays ready through a short outage, counted from the first failure and not from the last success", async () => {
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

test("is not ready once it drains, with engines that answer", async () => {
  const { ready, drain } = process(60_000);
  expect(await ready()).toBe(true);
  drain();
  expect(await ready()).toBe(false);
});

test("is not ready when it begins to drain while it asks", async () => {
  const asked = Promise.withResolvers<void>();
  const readiness = createReadiness({ ask: () => asked.promise, graceMs: 60_000 });
  const check = readiness.check();
  readiness.drain();
  asked.resolve();
  await expect(check).rejects.toThrow("about to end");
});
