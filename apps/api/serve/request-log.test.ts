import { type MinuteSums, OTHERS, WITHOUT_KEY } from "@tranche/shared/accounts/request-sums";
import { expect, test, vi } from "vitest";
import { RedisAway } from "../redis/silence-timeout.ts";
import { type AnsweredRequest, createRequestLog } from "./request-log.ts";

const START = Date.UTC(2026, 10, 23, 12, 0);
const MINUTE = START / 60_000;

/** A log whose writes are collected: the last one of each minute. Redis takes them, or is away. */
function open() {
  const world = {
    now: START,
    fails: undefined as Error | undefined,
    written: new Map<number, MinuteSums>(),
    writes: 0,
    warned: 0,
  };
  const log = createRequestLog({
    async write(minute, sums) {
      if (world.fails) throw world.fails;
      world.writes++;
      world.written.set(minute, structuredClone(sums));
    },
    log: { warn: () => world.warned++ },
    everyMs: 1000,
    now: () => world.now,
  });
  return { world, log };
}

const request = (of: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  account: "acc",
  keyId: "k1",
  address: "192.0.2.1",
  route: "/api/v1/funding",
  status: 200,
  ms: 10,
  isSlow: false,
  ...of,
});

test("requests are summed by account, and in it by key, address, route and status", async () => {
  const { world, log } = open();
  log.record(request());
  log.record(request({ status: 429, ms: 1 }));
  log.record(request({ keyId: "k2", address: "2001:db8::1", status: 503, ms: 1500, isSlow: true }));
  await log.close();
  expect(world.written.get(MINUTE)).toEqual({
    acc: {
      statuses: { 200: 1, 429: 1, 503: 1 },
      slow: 1,
      ms: 1511,
      keys: { k1: [2, 1, 0, 0], k2: [1, 0, 1, 1] },
      addresses: { "192.0.2.1": [2, 1, 0, 0], "2001:db8::1": [1, 0, 1, 1] },
      routes: { "/api/v1/funding": [3, 1, 1, 1] },
    },
  });
});

test("requests without a key have one row, with the networks that they came from", async () => {
  const { world, log } = open();
  const none = { account: undefined, keyId: undefined, status: 401 };
  for (const address of ["2001:db8::1", "2001:db8::2", "::ffff:192.0.2.1", "", "<script>"])
    log.record(request({ ...none, address }));
  await log.close();
  expect(world.written.get(MINUTE)![WITHOUT_KEY]).toMatchObject({
    statuses: { 401: 5 },
    keys: {},
    addresses: { "2001:db8:0:0::/64": [2, 2, 0, 0], "192.0.2.1": [1, 1, 0, 0], unknown: [2, 2, 0, 0] },
  });
});

test("any number of addresses, keys and accounts takes no more memory than some", async () => {
  const { world, log } = open();
  for (let n = 0; n < 20_000; n++) {
    const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    log.record(request({ account: undefined, keyId: undefined, address }));
    log.record(request({ account: `a${n % 2000}`, keyId: `0b6f3f5e-4d3c-4c43-9a39-${n}`, address }));
  }
  await log.close();
  const sums = world.written.get(MINUTE)!;
  expect(Object.keys(sums[WITHOUT_KEY]!.addresses)).toHaveLength(101);
  expect(sums[WITHOUT_KEY]!.addresses[OTHERS]![0]).toBe(19_900);
  // 500 in all, and the others.
  expect(Object.keys(sums)).toHaveLength(501);
  expect(JSON.stringify(sums).length).toBeLessThan(300_000);
  const all = Object.values(sums).reduce((sum, { statuses }) => sum + statuses["200"]!, 0);
  expect(all).toBe(40_000);
});

test("an address is noted without the zone behind it, which may be any text", async () => {
  const { world, log } = open();
  for (const zone of ["a".repeat(8000), "b"]) log.record(request({ address: `fe80::1%${zone}` }));
  await log.close();
  expect(world.written.get(MINUTE)!["acc"]!.addresses).toEqual({ "fe80::1": [2, 0, 0, 0] });
});

test("a clock that goes back a little loses nothing of what was written", async () => {
  vi.useFakeTimers();
  const { world, log } = open();
  log.record(request());
  world.now += 60_000;
  log.record(request());
  await vi.advanceTimersByTimeAsync(1000);
  world.now -= 1000;
  log.record(request());
  await vi.advanceTimersByTimeAsync(1000);
  const counted = () => [MINUTE, MINUTE + 1].map((minute) => world.written.get(minute)!["acc"]!.statuses["200"]);
  expect(counted()).toEqual([1, 2]);
  // Also when the last minute is over and written.
  world.now += 121_000;
  await vi.advanceTimersByTimeAsync(1000);
  world.now -= 61_000;
  log.record(request());
  await log.close();
  expect(counted()).toEqual([1, 3]);
  vi.useRealTimers();
});

test("a minute is written again while it grows, once more when it is over, and then forgotten", async () => {
  vi.useFakeTimers();
  const { world, log } = open();
  log.record(request());
  await vi.advanceTimersByTimeAsync(3000);
  expect(world.writes).toBe(1);
  log.record(request());
  await vi.advanceTimersByTimeAsync(1000);
  expect([world.writes, world.written.get(MINUTE)!["acc"]!.statuses]).toEqual([2, { 200: 2 }]);
  world.now += 60_000;
  log.record(request({ status: 304 }));
  await vi.advanceTimersByTimeAsync(5000);
  expect(world.writes).toBe(3);
  expect(world.written.get(MINUTE + 1)!["acc"]!.statuses).toEqual({ 304: 1 });
  await log.close();
  vi.useRealTimers();
});

test("while Redis is away the last minutes wait, and older ones are reported as lost", async () => {
  vi.useFakeTimers();
  const { world, log } = open();
  world.fails = new RedisAway("silent");
  for (let minute = 0; minute < 7; minute++) {
    log.record(request());
    await vi.advanceTimersByTimeAsync(1000);
    world.now += 60_000;
  }
  expect([world.written.size, world.warned]).toEqual([0, 2]);
  world.fails = undefined;
  await vi.advanceTimersByTimeAsync(1000);
  expect([...world.written.keys()]).toEqual([2, 3, 4, 5, 6].map((n) => MINUTE + n));
  await log.close();
  vi.useRealTimers();
});

test("a write that Redis refuses is reported once", async () => {
  vi.useFakeTimers();
  const { world, log } = open();
  world.fails = new Error("NOPERM");
  for (let minute = 0; minute < 7; minute++) {
    log.record(request());
    await vi.advanceTimersByTimeAsync(2000);
    world.now += 60_000;
  }
  expect(world.warned).toBe(1);
  world.fails = undefined;
  await log.close();
  expect(world.written.size).toBe(5);
  vi.useRealTimers();
});
