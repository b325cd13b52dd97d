import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { expect, test } from "vitest";
import { createLeader } from "./leader.ts";

const HELP_FROM = 10;

/** A lease in memory, in place of the two scripts. */
function createLease() {
  const lease: { holder: string | undefined } = { holder: undefined };
  const rankOf = (holder: string) => Number(holder.split(":")[0]);
  const redis = {
    eval: async (_script: string, _keys: number, _key: string, holder: string, ms?: number) => {
      if (ms === undefined) lease.holder = lease.holder === holder ? undefined : lease.holder;
      else if (lease.holder === undefined || rankOf(lease.holder) < rankOf(holder)) lease.holder = holder;
      return lease.holder === holder ? 1 : 0;
    },
    exists: async () => (lease.holder === undefined ? 0 : 1),
  };
  return { lease, redis: redis as unknown as RedisClient };
}

function createIndexer(redis: RedisClient, rank = 1) {
  const is = { paused: false, waiting: 0, open: 0, begun: 0, leaves: false, closed: false, now: 0 };
  const leader = createLeader({
    redis,
    namespace: "t",
    worker: {
      isPaused: () => is.paused,
      pause: async () => void (is.paused = true),
      resume: () => void (is.paused = false),
    },
    waiting: async () => is.waiting,
    jobs: () => ({ open: is.open, begun: is.begun }),
    gate: { closed: () => (is.closed ? "newer" : undefined), leavesJobs: () => is.closed || is.leaves },
    helpFrom: HELP_FROM,
    log: { info: () => {} },
    rank,
    now: () => is.now,
  });
  return { is, leader };
}

const two = () => {
  const { lease, redis } = createLease();
  return { lease, redis, one: createIndexer(redis), other: createIndexer(redis) };
};

test("the first one leads; the other one stands by, and helps from a backlog until none is left", async () => {
  const { one, other } = two();
  const standsBy = async (waiting: number) => {
    other.is.waiting = waiting;
    await other.leader.look();
    return other.leader.standsBy();
  };
  await one.leader.look();
  expect([one.leader.leads(), one.leader.standsBy()]).toEqual([true, false]);
  expect(await standsBy(3)).toBe(false);
  expect(await standsBy(0)).toBe(true);
  expect(await standsBy(HELP_FROM - 1)).toBe(true);
  expect(await standsBy(HELP_FROM)).toBe(false);
  expect(await standsBy(1)).toBe(false);
  expect(await standsBy(0)).toBe(true);
});

test("a later version takes the lead from an earlier one, which stands by", async () => {
  const { redis, one: earlier } = two();
  await earlier.leader.look();
  const later = createIndexer(redis, 2);
  await later.leader.look();
  await earlier.leader.look();
  expect([later.leader.leads(), earlier.leader.leads(), earlier.leader.standsBy()]).toEqual([true, false, true]);
  await later.leader.look();
  expect(later.leader.leads()).toBe(true);
});

test("one that ends in order lets the other one lead at once", async () => {
  const { one, other } = two();
  const ending = new AbortController();
  const following = one.leader.follow(ending.signal);
  await one.leader.look();
  await other.leader.look();
  expect(other.is.paused).toBe(true);
  ending.abort();
  await following;
  await other.leader.look();
  expect([other.leader.leads(), other.is.paused]).toEqual([true, false]);
});

test.each(["leaves jobs to a later version", "has jobs of which none has ended for 15 s"])(
  "a leader that %s gives up the lead, takes jobs until another one leads, then stands by",
  async (why) => {
    const { one, other } = two();
    await one.leader.look();
    if (why.startsWith("leaves")) one.is.leaves = true;
    else {
      [one.is.open, one.is.begun] = [2, 7];
      await one.leader.look();
      one.is.now = 15_001;
    }
    await one.leader.look();
    expect([one.leader.leads(), one.is.paused]).toEqual([false, false]);
    await other.leader.look();
    await one.leader.look();
    expect([other.leader.leads(), one.is.paused]).toEqual([true, true]);
  },
);

test("jobs that end are progress, however many there are", async () => {
  const { one } = two();
  for (let n = 1; n < 10; n++) {
    [one.is.open, one.is.begun, one.is.now] = [5, 5 + n, n * 10_000];
    await one.leader.look();
  }
  expect(one.leader.leads()).toBe(true);
});

test("a leader that takes no jobs although some wait lets the other one lead", async () => {
  const { one, other } = two();
  one.is.waiting = 1;
  await one.leader.look();
  one.is.now = 15_001;
  await one.leader.look();
  await other.leader.look();
  expect([one.leader.leads(), other.leader.leads()]).toEqual([false, true]);
});

test("without a leader, also one that leaves some jobs to a later version takes jobs again", async () => {
  const { lease, one, other } = two();
  await one.leader.look();
  await other.leader.look();
  expect(other.is.paused).toBe(true);
  other.is.leaves = true;
  lease.holder = undefined;
  await other.leader.look();
  expect([other.leader.leads(), other.is.paused]).toEqual([false, false]);
});

test("while the gate is closed it gives up the lead and leaves the worker alone", async () => {
  const { lease, one } = two();
  await one.leader.look();
  [one.is.closed, one.is.paused] = [true, true];
  await one.leader.look();
  expect([one.leader.leads(), one.is.paused, lease.holder]).toEqual([false, true, undefined]);
});
