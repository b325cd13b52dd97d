import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account, KeyRecord, SessionRecord } from "@tranche/shared/accounts/account";
import { newHandle } from "@tranche/shared/accounts/api-key";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { DEFAULT_PLANS } from "@tranche/shared/accounts/plans";
import type { Throttle } from "@tranche/shared/accounts/throttle";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import * as fc from "fast-check";
import type { NodeState } from "../apps/api/redis/gateway.ts";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ENGINES } from "./support/engines.ts";
import { chargeMore } from "../apps/api/admission/charge-more.ts";
import { type CallerRequest, chargeOf, recordCharge } from "../apps/api/admission/charge.ts";
import { createBadKeys } from "../apps/api/admission/bad-keys.ts";
import { createKnownCallers } from "../apps/api/admission/known-callers.ts";
import { createRedisLimiter } from "../apps/api/admission/redis-limiter.ts";
import { createCopyCaller } from "../apps/api/admission/copy-caller.ts";
import { createCounters, type Counters, type PlanPrice } from "../apps/api/admission/counters.ts";
import type { Decision } from "../apps/api/admission/decision.ts";
import { createCountersConnection } from "../apps/api/redis/connection.ts";
import { createSilenceTimeout } from "../apps/api/redis/silence-timeout.ts";
import { rateLimitHeaders } from "../apps/api/admission/limit-status.ts";
import { createCoalescedWrites } from "../apps/api/redis/coalesced-writes.ts";

const namespace = `admission${randomBytes(4).toString("hex")}`;
const hash = "a".repeat(64);
const US = 1_000_000;
const time = (iso: string) => Date.parse(iso) * 1000;

const gatewayOf = (connection: RedisClient, silenceMs: number) => {
  const state = { withTimeout: createSilenceTimeout(silenceMs) } as NodeState;
  return { redis: connection, nodeStateOf: () => state, coalesce: createCoalescedWrites(connection) };
};

let redis: RedisClient;
let counters: Counters;
let handle: string;

beforeAll(async () => {
  redis = createCountersConnection(ENGINES.redisUrl, undefined);
  await new Promise((resolve) => redis.once("ready", resolve));
  // Thousands of decisions wait at once in some tests.
  counters = createCounters(gatewayOf(redis, 1000), namespace);
});
afterAll(() => redis.disconnect());
beforeEach(async () => {
  handle = newHandle();
  await keep({}, {});
});

async function keep(account: Partial<Account>, key: Partial<KeyRecord | SessionRecord>, version = 1): Promise<void> {
  const copies = createHotCopies(redis, namespace);
  const created_at = "2025-01-01T00:00:00Z";
  await copies.keepAccount(
    { kind: "account", account: handle, name: "Test", plan: "small", status: "active", created_at, ...account },
    version,
  );
  const made = { key_id: "k1", account: handle, key_hash: hash, prefix: "trn_", name: "key", created_at };
  const record = { kind: "key", ...made, expires_at: null, revoked_at: null, ...key } as KeyRecord | SessionRecord;
  await copies.keepKey(record, version);
}

const prices = (burst: number, quota: number, cost = 1, pool?: number): PlanPrice[] => {
  const own = { pool: pool ?? 1000, pooled: pool !== undefined };
  return [
    { plan: "large", burst: 1_000_000, quota: 1_000_000, cost, ...own },
    { plan: "small", burst, quota, cost, ...own },
  ];
};
const ask = (offer: PlanPrice[], atUs?: number, who = handle): Promise<Decision> =>
  counters.decide({ handle: who, hash }, offer, atUs);

/** A decision that has windows in it. */
async function windowed(offer: PlanPrice[], atUs?: number) {
  const decision = await ask(offer, atUs);
  if (!("limits" in decision)) throw new Error(`the verdict is ${decision.verdict}`);
  return decision;
}

describe("a key", () => {
  test("without a copy is unknown", async () => {
    expect(await counters.decide({ handle, hash: "b".repeat(64) }, prices(1, 1))).toEqual({ verdict: "unknown" });
    expect(await counters.decide({ handle: newHandle(), hash }, prices(1, 1))).toEqual({ verdict: "unknown" });
  });

  test("that is revoked, has expired, or whose account is not active opens nothing and counts nothing", async () => {
    await keep({}, { revoked_at: "2025-01-02T00:00:00Z" }, 2);
    expect(await ask(prices(1, 1))).toEqual({ verdict: "revoked" });
    await keep({}, { expires_at: "2025-01-02T00:00:00Z" }, 3);
    expect(await ask(prices(1, 1))).toEqual({ verdict: "expired" });
    await keep({ status: "suspended" }, {}, 4);
    expect(await ask(prices(1, 1))).toEqual({ verdict: "suspended" });
    await keep({}, {}, 5);
    expect((await windowed(prices(1, 1))).limits.burst.used).toBe(1);
  });

  test("expires at its time, not before", async () => {
    await keep({}, { expires_at: "2025-06-15T12:00:00.500Z" }, 2);
    expect((await ask(prices(9, 9), time("2025-06-15T12:00:00.499Z"))).verdict).toBe("admitted");
    expect((await ask(prices(9, 9), time("2025-06-15T12:00:00.500Z"))).verdict).toBe("expired");
  });

  test("that was revoked is not opened again by a reading of the time before", async () => {
    await keep({}, { revoked_at: "2025-01-02T00:00:00Z" }, 7);
    await keep({}, {}, 6);
    expect(await ask(prices(1, 1))).toEqual({ verdict: "revoked" });
  });

  test("whose plan is in no file is recognised", async () => {
    await keep({ plan: "gone" }, {}, 2);
    expect(await ask(prices(1, 1))).toEqual({ verdict: "no_plan", plan: "gone" });
  });
});

test("a session that was read before the account's last sign-out is unknown until it is read again", async () => {
  const copies = createHotCopies(redis, namespace);
  const made = { key_id: "s1", account: handle, key_hash: hash, prefix: "trn_", name: "", created_at: "2025-01-01" };
  const session = {
    kind: "session",
    ...made,
    member: "a@b",
    stamp: "s",
    expires_at: "2999-01-01",
    revoked_at: null,
  } as const;
  const keepSession = (signOuts: number) => copies.keepKey(session, 1, signOuts);
  const verdict = async () => (await ask(prices(9, 9))).verdict;
  await keepSession(-1);
  expect(await verdict()).toBe("unknown");
  await copies.keepSignOuts(handle, -1);
  expect(await verdict()).toBe("admitted");
  await copies.keepSignOuts(handle, 7);
  expect(await verdict()).toBe("unknown");
  // A reading from before the sign-out comes late.
  await Promise.all([keepSession(-1), copies.keepSignOuts(handle, -1)]);
  expect(await verdict()).toBe("unknown");
  await keepSession(7);
  expect(await verdict()).toBe("admitted");
  await keep({}, {}, 2);
  await copies.keepSignOuts(handle, 8);
  expect(await verdict(), "a key is no session").toBe("admitted");
});

describe("the burst", () => {
  test("lets through exactly the limit of 20,000 requests with 200 in flight", async () => {
    const tally = new Map<string, number>();
    let left = 20_000;
    const client = async () => {
      while (left-- > 0) {
        const { verdict } = await ask(prices(1000, 1_000_000), time("2025-06-15T12:00:00Z"));
        tally.set(verdict, (tally.get(verdict) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 200 }, client));
    expect(Object.fromEntries(tally)).toEqual({ admitted: 1000, rate_limited: 19_000 });
  });

  test("never lets more than the limit through in any 60 seconds, and refuses nobody without reason", async () => {
    const gaps = fc.oneof(
      fc.integer({ min: 0, max: 2 * US }),
      fc.integer({ min: 0, max: 15 * US }),
      fc.constantFrom(59, 59.999999, 60, 60.000001, 61, 120).map((seconds) => Math.round(seconds * US)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(gaps, { minLength: 5, maxLength: 60 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: US - 1 }),
        async (pauses, limit, start) => {
          handle = newHandle();
          await keep({}, {});
          let now = time("2025-06-15T12:00:00Z") + start;
          const admitted: number[] = [];
          const secondOf = (at: number) => Math.floor(at / US);
          // A second leaves as a whole, 60 seconds after the last request in it.
          const leaves = (at: number) =>
            Math.max(...admitted.filter((each) => secondOf(each) === secondOf(at))) + 60 * US;
          for (const pause of pauses) {
            now += pause;
            const { verdict, limits } = await windowed(prices(limit, 1_000_000), now);
            const inSpan = admitted.filter((at) => leaves(at) > now).length;
            if (verdict === "admitted") admitted.push(now);
            expect(verdict).toBe(inSpan < limit ? "admitted" : "rate_limited");
            expect(limits.burst.used).toBe(Math.min(limit, inSpan + (verdict === "admitted" ? 1 : 0)));
            const first = Math.min(...admitted.map(leaves).filter((at) => at > now));
            expect(limits.burst.resetsAt).toBe(Math.floor(first / 1000));
          }
          for (const from of admitted) {
            expect(admitted.filter((at) => at >= from && at - from < 60 * US).length).toBeLessThanOrEqual(limit);
          }
        },
      ),
      { numRuns: 150, seed: 20131031 },
    );
  });

  test("is open again when Retry-After says so, and not a second before", async () => {
    const start = time("2025-06-15T12:00:00.700Z");
    await ask(prices(2, 9), start);
    await ask(prices(2, 9), start + 10 * US);
    const refused = await windowed(prices(2, 9), start + 20 * US);
    expect(refused.verdict).toBe("rate_limited");
    const { at, burst } = refused.limits;
    const wait = Math.ceil((burst.resetsAt - at) / 1000);
    expect(wait).toBe(40);
    expect((await ask(prices(2, 9), start + (20 + wait - 1) * US)).verdict).toBe("rate_limited");
    expect((await ask(prices(2, 9), start + (20 + wait) * US)).verdict).toBe("admitted");
  });

  test("never keeps a caller waiting for longer than the 60 seconds that it is announced with", async () => {
    for (const part of [0, 1, 300_000, 999_999]) {
      handle = newHandle();
      await keep({}, {});
      const { limits } = await windowed(prices(1, 9), time("2025-06-15T12:00:00Z") + part);
      const headers = rateLimitHeaders(limits);
      expect(headers[headers.indexOf("RateLimit") + 1]).toMatch(/^"burst";r=0;t=60,/);
    }
  });

  test("is not opened by a clock that goes back", async () => {
    const now = time("2025-06-15T12:00:00Z");
    await ask(prices(1, 9), now);
    expect((await ask(prices(1, 9), now - 100 * US)).verdict).toBe("rate_limited");
    expect((await ask(prices(1, 9), now + 59 * US)).verdict).toBe("rate_limited");
  });

  test("keeps one small hash of an account, gone a minute after the last request", async () => {
    const now = time("2025-06-15T12:00:00Z");
    let asked = 0;
    for (let second = 0; second < 300; second++) {
      asked = performance.now();
      await ask(prices(1000, 1000), now + second * US);
    }
    const key = accountRedisKeys(namespace, handle).burst;
    expect(await redis.hlen(key)).toBeLessThanOrEqual(2 * 61 + 3);
    const left = await redis.pttl(key);
    expect(left + performance.now() - asked).toBeGreaterThan(60_000);
    expect(await redis.ttl(key)).toBeLessThanOrEqual(62);
  });
});

describe("a throttle", () => {
  const until = "2025-06-15T12:00:30.000Z";
  const [start, end] = [time("2025-06-15T12:00:00Z"), time(until)];
  const throttled = (throttle: Partial<Throttle>, version = 2) =>
    keep({ throttle: { burst: 2, reason: "a loop", ...throttle } }, {}, version);
  const verdicts = async (count: number, at: number, offer = prices(9, 9)) => {
    const all = await counters.decideAll({ handle, hash }, offer, count, at);
    return all.filter(({ verdict }) => verdict === "admitted").length;
  };

  test("lets exactly its burst through, and is in the limits, until it ends by itself", async () => {
    await throttled({ until });
    expect(await verdicts(5, start)).toBe(2);
    expect((await windowed(prices(9, 9), end - 1)).limits).toMatchObject({
      burst: { limit: 2, used: 2 },
      month: { limit: 9 },
      throttle: { burst: 2, quota: null, until: end / 1000 },
    });
    const after = await windowed(prices(9, 9), end);
    expect([after.verdict, after.limits.burst, after.limits.throttle]).toEqual([
      "admitted",
      { limit: 9, used: 3, resetsAt: start / 1000 + 60_000 },
      undefined,
    ]);
  });

  test("lets exactly its quota through, and the plan's when it is removed", async () => {
    await throttled({ burst: 8, quota: 3 });
    expect(await verdicts(5, start)).toBe(3);
    expect(await windowed(prices(9, 9), start)).toMatchObject({
      verdict: "quota_exceeded",
      limits: { month: { limit: 3, used: 3 } },
    });
    await keep({}, {}, 3);
    expect(await verdicts(9, start)).toBe(6);
  });

  test("of the quota alone leaves the burst of the plan", async () => {
    await throttled({ burst: undefined, quota: 3 });
    expect(await verdicts(2, start)).toBe(2);
    expect((await windowed(prices(9, 9), start)).limits).toMatchObject({
      burst: { limit: 9, used: 3 },
      month: { limit: 3, used: 3 },
      throttle: { burst: null, quota: 3, until: null },
    });
    expect((await windowed(prices(9, 9), start)).verdict).toBe("quota_exceeded");
  });

  test("gives nobody more than the plan", async () => {
    await throttled({ burst: 1000, quota: 1000 });
    expect((await windowed(prices(9, 9), start)).limits).toMatchObject({ burst: { limit: 9 }, month: { limit: 9 } });
  });

  test("of an account that has used more tells the time at which a request is admitted again", async () => {
    for (let second = 0; second < 6; second++) await ask(prices(9, 9), start + second * US);
    await throttled({});
    const refused = await windowed(prices(9, 9), start + 10 * US);
    expect([refused.verdict, refused.limits.burst.used]).toEqual(["rate_limited", 6]);
    const opens = refused.limits.burst.resetsAt * 1000;
    expect(opens).toBe(start + 64 * US);
    expect((await windowed(prices(9, 9), opens - 1)).verdict).toBe("rate_limited");
    expect((await windowed(prices(9, 9), opens)).verdict).toBe("admitted");
  });
});

describe("the quota", () => {
  test("lets through exactly 10,000 of 12,000 requests at the same time", async () => {
    const verdicts = await Promise.all(Array.from({ length: 12_000 }, () => ask(prices(1_000_000, 10_000))));
    expect(verdicts.filter(({ verdict }) => verdict === "admitted")).toHaveLength(10_000);
    expect(verdicts.filter(({ verdict }) => verdict === "quota_exceeded")).toHaveLength(2000);
    expect((await windowed(prices(1_000_000, 10_000))).limits.month.used).toBe(10_000);
  });

  test("begins anew exactly once when the month changes, and a clock that goes back does not begin it again", async () => {
    const end = time("2025-03-01T00:00:00Z");
    expect((await ask(prices(99, 1), end - 2)).verdict).toBe("admitted");
    expect((await ask(prices(99, 1), end - 1)).verdict).toBe("quota_exceeded");
    expect((await ask(prices(99, 1), end)).verdict).toBe("admitted");
    expect((await ask(prices(99, 1), end - 1)).verdict).toBe("quota_exceeded");
    expect((await ask(prices(99, 1), end + 1)).verdict).toBe("quota_exceeded");
  });

  test("ends with the calendar month in UTC, whatever the month", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.date({ min: new Date("1971-01-01"), max: new Date("2399-12-31"), noInvalidDate: true }),
        async (date) => {
          handle = newHandle();
          await keep({}, {});
          const { limits } = await windowed(prices(9, 9), date.getTime() * 1000);
          expect(limits.month.resetsAt).toBe(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
        },
      ),
      { numRuns: 300, seed: 20131031 },
    );
  });

  test("is not touched by a request that costs only burst, and does not refuse it", async () => {
    await ask(prices(9, 1));
    const free = await windowed(prices(9, 1, 0));
    expect(free.verdict).toBe("admitted");
    expect(free.limits).toMatchObject({ burst: { used: 2 }, month: { used: 1 } });
  });
});

describe("the own pool", () => {
  const SESSION = { kind: "session", expires_at: "2999-01-01T00:00:00Z" } as const;
  /** Used of the month and of the pool, after each of so many requests at once. */
  const together = async (offer: PlanPrice[], count: number, atUs?: number) => {
    const decisions = await counters.decideAll({ handle, hash }, offer, count, atUs);
    return decisions.map((decision) => {
      if (!("limits" in decision)) throw new Error(`the verdict is ${decision.verdict}`);
      const { month, own } = decision.limits;
      return [decision.verdict, month.used, own.used];
    });
  };

  test("takes the requests of a session first, then the month does", async () => {
    await keep({}, SESSION, 2);
    expect(await together(prices(99, 2, 1, 3), 6)).toEqual([
      ["admitted", 0, 1],
      ["admitted", 0, 2],
      ["admitted", 0, 3],
      ["admitted", 1, 3],
      ["admitted", 2, 3],
      ["quota_exceeded", 2, 3],
    ]);
    expect((await windowed(prices(99, 2, 0, 3))).limits).toMatchObject({
      burst: { used: 6 },
      own: { limit: 3, used: 3 },
    });
  });

  test("takes no request of a key, none that does not come out of it, and none past the burst", async () => {
    expect(await together(prices(99, 9, 1, 3), 1)).toEqual([["admitted", 1, 0]]);
    await keep({}, SESSION, 2);
    expect(await together(prices(99, 9), 1)).toEqual([["admitted", 2, 0]]);
    expect(await together(prices(3, 9, 1, 3), 2)).toEqual([
      ["admitted", 2, 1],
      ["rate_limited", 2, 1],
    ]);
  });

  test("admits exactly its size of many at once, also when the month is used up", async () => {
    await keep({}, SESSION, 2);
    const verdicts = await Promise.all(Array.from({ length: 300 }, () => ask(prices(1000, 0, 1, 200))));
    expect(verdicts.filter(({ verdict }) => verdict === "admitted")).toHaveLength(200);
  });

  test("gets back what was not answered, and the month what came out of it", async () => {
    await keep({}, SESSION, 2);
    const offer = prices(99, 9, 1, 1);
    const [first, second] = await counters.decideAll({ handle, hash }, offer, 2);
    for (const decision of [first!, second!]) {
      if (!("counted" in decision)) throw new Error("not counted");
      await counters.refund(handle, decision.counted);
    }
    expect((await windowed(prices(99, 9, 0, 1))).limits).toMatchObject({ month: { used: 0 }, own: { used: 0 } });
  });

  test("begins anew with the month", async () => {
    await keep({}, SESSION, 2);
    const end = time("2025-03-01T00:00:00Z");
    expect(await together(prices(99, 9, 1, 1), 2, end - 1)).toEqual([
      ["admitted", 0, 1],
      ["admitted", 1, 1],
    ]);
    expect(await together(prices(99, 9, 1, 1), 1, end)).toEqual([["admitted", 0, 1]]);
  });
});

test("a refused request counts in neither window", async () => {
  await ask(prices(2, 1));
  expect((await windowed(prices(2, 1))).verdict).toBe("quota_exceeded");
  const second = await windowed(prices(2, 2));
  expect(second).toMatchObject({ verdict: "admitted", limits: { burst: { used: 2 }, month: { used: 2 } } });
  expect((await windowed(prices(2, 9))).verdict).toBe("rate_limited");
  expect((await windowed(prices(9, 9))).limits).toMatchObject({ burst: { used: 3 }, month: { used: 3 } });
});

describe("requests that are decided together", () => {
  const start = time("2025-06-15T12:00:00Z");
  const verdictsOf = (decisions: Decision[]) => decisions.map(({ verdict }) => verdict);
  const usedOf = (decisions: Decision[]) =>
    decisions.map((decision) => "limits" in decision && [decision.limits.burst.used, decision.limits.month.used]);

  test("are let through up to the burst, the first ones first", async () => {
    await ask(prices(5, 99), start);
    const together = await counters.decideAll({ handle, hash }, prices(5, 99), 6, start);
    expect(verdictsOf(together)).toEqual([...Array(4).fill("admitted"), "rate_limited", "rate_limited"]);
    expect(usedOf(together)).toEqual([2, 3, 4, 5, 5, 5].map((used) => [used, used]));
  });

  test("are let through up to the quota; those that are free do not stop there", async () => {
    const paid = await counters.decideAll({ handle, hash }, prices(99, 3), 5, start);
    expect(verdictsOf(paid)).toEqual([...Array(3).fill("admitted"), "quota_exceeded", "quota_exceeded"]);
    expect(usedOf(paid)).toEqual([1, 2, 3, 3, 3].map((used) => [used, used]));
    const free = await counters.decideAll({ handle, hash }, prices(5, 3, 0), 3, start);
    expect(verdictsOf(free)).toEqual(["admitted", "admitted", "rate_limited"]);
    expect(usedOf(free)).toEqual([4, 5, 5].map((used) => [used, 3]));
  });

  test("share what is wrong with their key", async () => {
    expect(await counters.decideAll({ handle, hash: "b".repeat(64) }, prices(9, 9), 3)).toEqual(
      Array.from({ length: 3 }, () => ({ verdict: "unknown" })),
    );
  });

  test("get each what they would have got alone", async () => {
    const step = fc.record({
      pause: fc.oneof(fc.integer({ min: 0, max: US }), fc.integer({ min: 0, max: 40 * US })),
      count: fc.integer({ min: 1, max: 7 }),
      cost: fc.integer({ min: 0, max: 3 }),
      refund: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 25 }),
        async (steps, burst, quota) => {
          const [alone, together] = [newHandle(), newHandle()];
          for (handle of [alone, together]) await keep({}, {});
          let now = time("2025-06-30T23:58:30Z");
          for (const { pause, count, cost, refund } of steps) {
            now += pause;
            const offer = prices(burst, quota, cost);
            const one: Decision[] = [];
            for (let n = 0; n < count; n++) one.push(await ask(offer, now, alone));
            const all = await counters.decideAll({ handle: together, hash }, offer, count, now);
            expect(all).toEqual(one);
            const last = all.findLast(({ verdict }) => verdict === "admitted");
            if (!refund || !last || !("counted" in last)) continue;
            for (const who of [alone, together]) await counters.refund(who, last.counted);
          }
        },
      ),
      { numRuns: 60, seed: 20131031 },
    );
  });

  test("are those of one key with the same prices; a request between them keeps its place", async () => {
    const [paid, free] = [prices(4, 99), prices(4, 99, 0)];
    const other = newHandle();
    const [first, between, second, third, stranger] = await Promise.all([
      counters.decide({ handle, hash }, paid),
      counters.decide({ handle, hash }, free),
      counters.decide({ handle, hash }, paid),
      counters.decide({ handle, hash }, paid),
      counters.decide({ handle: other, hash }, paid),
    ]);
    expect(usedOf([first, between, second, third])).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 3],
    ]);
    expect(stranger).toEqual({ verdict: "unknown" });
    expect((await counters.decide({ handle, hash }, paid)).verdict).toBe("rate_limited");
  });

  test("of 5000 at the same time exactly the limit is let through, with 1 and with 3 connections", async () => {
    const others = [1, 2].map(() => createCountersConnection(ENGINES.redisUrl, undefined));
    await Promise.all(others.map((other) => new Promise((resolve) => other.once("ready", resolve))));
    const each = [redis, ...others].map((connection) => createCounters(gatewayOf(connection, 1000), namespace));
    for (const processes of [1, 3]) {
      handle = newHandle();
      await keep({}, {});
      const offer = prices(1000, 99_999);
      const decisions: Decision[] = [];
      await Promise.all(
        Array.from({ length: 100 }, async (_, client) => {
          for (let n = 0; n < 50; n++) decisions.push(await each[client % processes]!.decide({ handle, hash }, offer));
        }),
      );
      const admitted = decisions.filter(({ verdict }) => verdict === "admitted");
      expect(admitted).toHaveLength(1000);
      const used = admitted.map((decision) => "limits" in decision && decision.limits.burst.used);
      expect(new Set(used).size).toBe(1000);
    }
    for (const connection of others) connection.disconnect();
  });
});

describe("what is given back", () => {
  test("can be used again in the month, and not in the burst", async () => {
    const first = await windowed(prices(2, 3, 3));
    await counters.refund(handle, first.counted);
    expect((await windowed(prices(2, 3, 3))).limits).toMatchObject({ burst: { used: 2 }, month: { used: 3 } });
  });

  test("leaves a month alone that it is no longer part of", async () => {
    const start = time("2025-03-31T23:59:00Z");
    const first = await windowed(prices(9, 9), start);
    await windowed(prices(9, 9), start + 61 * US);
    await counters.refund(handle, first.counted);
    expect((await windowed(prices(9, 9), start + 62 * US)).limits).toMatchObject({
      burst: { used: 2 },
      month: { used: 2 },
    });
  });
});

describe("further requests of an admitted one", () => {
  const further = async (count: number, quota: number, ends = Date.UTC(2125, 6, 1) / 1000) =>
    counters.chargeMore(handle, { ends, quota }, count);

  test("are charged all or not at all, up to the quota", async () => {
    const { limits, counted } = await windowed(prices(9, 10));
    const { ends } = counted;
    expect(await further(8, 10, ends)).toEqual({ charged: true, used: 9, ends });
    expect(await further(2, 10, ends)).toEqual({ charged: false, used: 9, ends });
    expect(await further(1, 10, ends)).toEqual({ charged: true, used: 10, ends });
    expect((await windowed(prices(9, 10))).limits).toMatchObject({
      burst: { used: 1 },
      month: { used: 10, resetsAt: limits.month.resetsAt },
    });
  });

  test("never go beyond the quota with 200 in flight beside other requests, and fill it where they can", async () => {
    const quota = 5000;
    const { ends } = (await windowed(prices(1_000_000, quota))).counted;
    let used = 1;
    let left = 3000;
    await Promise.all(
      Array.from({ length: 200 }, async (_, client) => {
        while (left-- > 0) {
          if (client % 4 === 0) {
            const { verdict } = await ask(prices(1_000_000, quota));
            used += verdict === "admitted" ? 1 : 0;
          } else {
            const count = 1 + (left % 7);
            const { charged } = await further(count, quota, ends);
            used += charged ? count : 0;
          }
        }
      }),
    );
    expect(used).toBe(quota);
    expect((await windowed(prices(1_000_000, quota + 1))).limits.month.used).toBe(quota + 1);
  });

  test("are given back where they were counted, each once", async () => {
    const { counted } = await windowed(prices(9, 100));
    const { ends } = await further(40, 100, counted.ends);
    await counters.refund(handle, { ends, month: 30 });
    expect((await windowed(prices(9, 100))).limits.month.used).toBe(12);
  });

  test("count in the month that has begun meanwhile, and in that of their request when the window was lost", async () => {
    const old = (await windowed(prices(9, 10), time("2025-03-31T23:59:59Z"))).counted;
    const fresh = (await windowed(prices(9, 10), time("2025-04-01T00:00:01Z"))).counted;
    expect(await further(3, 10, old.ends)).toEqual({ charged: true, used: 4, ends: fresh.ends });
    handle = newHandle();
    const ends = Math.floor(Date.now() / 1000) + 3600;
    expect(await further(3, 10, ends)).toEqual({ charged: true, used: 3, ends });
    const lives = await redis.ttl(accountRedisKeys(namespace, handle).month);
    expect(lives).toBeGreaterThan(3600 + 86_000);
  });
});

describe("an advance", () => {
  const QUOTA = 100;
  const lease = { id: "export", leaseMs: 1500 };
  const lapse = () => sleep(lease.leaseMs + 50);
  /** Charges 31 requests, 30 of them as an advance. */
  const charged = async () => {
    const { ends } = (await windowed(prices(99, QUOTA))).counted;
    expect(await counters.chargeMore(handle, { ends, quota: QUOTA }, 30, lease)).toMatchObject({ used: 31 });
  };
  /** Gives back what has lapsed; how many requests that were. */
  const lookedAt = async () => (await counters.refundExpired(handle)).requests;
  const monthOf = () => accountRedisKeys(namespace, handle).month;
  const used = async () => Number(await redis.hget(monthOf(), "used"));

  test("is refunded once, after its lease has expired, however many processes check", async () => {
    await charged();
    await counters.settleAdvance(handle, lease, 12, 0);
    expect([await counters.refundExpired(handle), await used()]).toEqual([{ requests: 0, leased: 1 }, 31]);
    await lapse();
    const looks = await Promise.all(Array.from({ length: 20 }, () => lookedAt()));
    expect(looks.toSorted((a, b) => b - a)).toEqual([12, ...Array<number>(19).fill(0)]);
    expect(await used()).toBe(19);
  });

  test("is charged again if its process is still alive, and then refunded once", async () => {
    await charged();
    await lapse();
    expect([await lookedAt(), await used()]).toEqual([30, 1]);
    await counters.settleAdvance(handle, lease, 7, 0);
    expect([await lookedAt(), await used()]).toEqual([0, 31]);
    await lapse();
    expect([await lookedAt(), await used()]).toEqual([7, 24]);
    for (let n = 0; n < 3; n++) await counters.settleAdvance(handle, lease, undefined, 5);
    expect(await used()).toBe(26);
    // It has ended: a late renewal does not bring it back.
    await counters.settleAdvance(handle, lease, 5, 0);
    await lapse();
    expect([await lookedAt(), await used()]).toEqual([0, 26]);
    expect(await redis.exists(accountRedisKeys(namespace, handle).advances)).toBe(0);
  });

  test("is never given back below zero, nor in another month", async () => {
    await charged();
    await redis.hset(monthOf(), "used", 4);
    await lapse();
    expect([await lookedAt(), await used()]).toEqual([4, 0]);
    await counters.settleAdvance(handle, lease, 30, 0);
    expect(await used()).toBe(4);
    const ends = Number(await redis.hget(monthOf(), "ends"));
    await redis.hset(monthOf(), "ends", ends + 1, "used", 50);
    await lapse();
    expect([await lookedAt(), await used()]).toEqual([0, 50]);
    await counters.settleAdvance(handle, lease, undefined, 30);
    expect(await used()).toBe(50);
  });

  test("that exceeds the quota is not stored", async () => {
    const { ends } = (await windowed(prices(99, QUOTA))).counted;
    expect(await counters.chargeMore(handle, { ends, quota: QUOTA }, 100, lease)).toMatchObject({ charged: false });
    await lapse();
    expect([await lookedAt(), await used()]).toEqual([0, 1]);
  });
});

describe("a request that costs more than one", () => {
  /** A request that Redis has admitted, as admission leaves it. */
  const admitted = async (quota: number): Promise<CallerRequest> => {
    const readCaller = async () => undefined;
    const known = createKnownCallers(readCaller, Date.now);
    const copyToRedis = createCopyCaller({
      copies: createHotCopies(redis, namespace),
      months: { restore: async () => {} },
      nodeStateOfAccount: gatewayOf(redis, 1000).nodeStateOf,
      readCaller,
      known,
      badKeys: createBadKeys(),
      exists: async () => true,
    });
    const limiter = createRedisLimiter({ counters, copyToRedis, known, now: Date.now, advanceLeaseMs: 900 });
    const asking: CallerRequest = { req: {} as IncomingMessage, ip: "", state: {} };
    const { charge } = await limiter(asking, { handle, hash }, { terms: new Map(), prices: prices(99, quota) });
    recordCharge(asking, charge);
    return asking;
  };
  const PLAN = { ...DEFAULT_PLANS.scale!, quota: 50 };

  test("is charged as a whole, and given back as a whole or in part", async () => {
    const asking = await admitted(50);
    await chargeMore(asking, PLAN, { cost: 32, what: "An export of 31,679 rows" });
    const charge = chargeOf(asking)!;
    expect(charge).toMatchObject({ month: 32, limits: { month: { used: 32 } } });
    await charge.refund(29);
    expect((await windowed(prices(99, 50))).limits).toMatchObject({ burst: { used: 2 }, month: { used: 4 } });
    await charge.refund(3);
    expect((await windowed(prices(99, 50))).limits).toMatchObject({ burst: { used: 3 }, month: { used: 2 } });
  });

  test("charged in advance in part keeps its lease, and is given back or delivered once", async () => {
    for (const [back, used] of [
      [undefined, 32],
      [29, 3],
    ] as const) {
      handle = newHandle();
      await keep({}, {});
      const asking = await admitted(50);
      await chargeMore(asking, PLAN, { cost: 32, what: "An export of 31,679 rows" }, () => 30);
      await sleep(1200);
      expect((await counters.refundExpired(handle)).requests).toBe(0);
      const charge = chargeOf(asking)!;
      if (back !== undefined) await charge.refund(back);
      await charge.delivered!();
      await sleep(1200);
      expect((await counters.refundExpired(handle)).requests).toBe(0);
      expect((await windowed(prices(99, 50))).limits.month.used).toBe(used + 1);
    }
  });

  test("is refused with its cost and with what is left when it does not fit", async () => {
    await ask(prices(99, 50));
    const asking = await admitted(50);
    await expect(chargeMore(asking, PLAN, { cost: 50, what: "An export of 49,001 rows" })).rejects.toMatchObject({
      code: "quota_exceeded",
      message: expect.stringMatching(
        /^An export of 49,001 rows costs 50 requests; 49 of the 50 that the plan Scale has in a calendar month are left\. /,
      ) as string,
      headers: { "Retry-After": expect.stringMatching(/^\d+$/) as string },
    });
    // As for every refusal, settling gives back the one request.
    expect(chargeOf(asking)).toMatchObject({ month: 1, limits: { month: { used: 2 } } });
    await chargeMore(asking, PLAN, { cost: 49, what: "An export of 48,001 rows" });
    expect((await ask(prices(99, 50))).verdict).toBe("quota_exceeded");
  });
});

describe("what was served while Redis was away", () => {
  const thisMonth = () => Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1);

  test("is counted in both windows, whether they are there or not", async () => {
    for (const before of [0, 2]) {
      handle = newHandle();
      await keep({}, {});
      for (let n = 0; n < before; n++) await ask(prices(99, 99));
      await counters.catchUp({ handle, burst: 5, endsAt: thisMonth(), month: 30 });
      const { limits } = await windowed(prices(99, 99));
      expect(limits).toMatchObject({
        burst: { used: before + 6 },
        month: { used: before + 31, resetsAt: thisMonth() },
      });
      expect(limits.burst.resetsAt).toBeGreaterThan(limits.at + 55_000);
    }
  });

  test("is counted for its own month and for no other", async () => {
    await ask(prices(99, 99));
    await counters.catchUp({ handle, burst: 0, endsAt: thisMonth() - 86_400_000, month: 30 });
    expect((await windowed(prices(99, 99))).limits).toMatchObject({ burst: { used: 2 }, month: { used: 2 } });
  });

  test("leaves the burst window after a minute, as everything does", async () => {
    await counters.catchUp({ handle, burst: 5, endsAt: thisMonth(), month: 5 });
    const later = (Date.now() + 62_000) * 1000;
    expect((await windowed(prices(99, 99), later)).limits.burst.used).toBe(1);
  });
});
