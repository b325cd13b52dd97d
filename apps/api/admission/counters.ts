import { readFileSync } from "node:fs";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import type { Redis } from "ioredis";
import type { InTime } from "../redis/in-time.ts";
import type { LimitStatus } from "./limit-status.ts";
import type { AtTurnsEnd } from "../redis/turn.ts";

const script = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** What a request may cost on one of the plans. */
export type PlanPrice = { plan: string; burst: number; quota: number; costsQuota: boolean };

/** What was counted for a request, so that it can be given back: the second and the month's end as the script names them. */
export type Counted = { second: number; burst: 0 | 1; ends: number; month: 0 | 1 };

export type Decision =
  /** `unknown`: there is no copy of the key or of its account. */
  | { verdict: "unknown" | "revoked" | "expired" | "suspended" | "deleted" }
  | { verdict: "no_plan"; plan: string }
  | {
      verdict: "admitted" | "rate_limited" | "quota_exceeded";
      plan: string;
      keyId: string;
      /** In ms; null: never. */
      expiresAt: number | null;
      limits: LimitStatus;
      counted: Counted;
    };

/** What an account was served while Redis was away: in the last 60 seconds, and in the month that ends then (ms). */
export type Backlog = { handle: string; burst: number; endsAt: number; month: number };

/** The windows of all accounts, in Redis. Everything rejects with RedisAway when it does not answer in time. */
export type Counters = {
  /**
   * Decides and counts a request. Requests of one key with the same prices (the very same array) that come at about the same
   * time share a round trip; each gets what it would have got alone, in the order in which they came. `timeUs` is for tests
   * alone: what has a time of its own goes alone.
   */
  decide(handle: string, hash: string, prices: readonly PlanPrice[], timeUs?: number): Promise<Decision>;
  /** Decides and counts equal requests in one round trip, as if one came after the other. */
  decideAll(
    handle: string,
    hash: string,
    prices: readonly PlanPrice[],
    count: number,
    timeUs?: number,
  ): Promise<Decision[]>;
  /** Whether a key works anything at the moment. Counts nothing. */
  works(handle: string, hash: string): Promise<boolean>;
  /** Gives back what was counted for a request, unless it has left its window since. */
  refund(handle: string, counted: Counted): Promise<void>;
  /** Counts what was served while Redis was away. */
  catchUp(backlog: Backlog): Promise<void>;
  ping: () => Promise<void>;
};

type Reply =
  | [verdict: string, plan?: string]
  | [string, number, string, string, string, number, 0 | 1, number, number, number, number, number, number, number];

/** Equal requests that go together. */
type Batch = { handle: string; prices: readonly PlanPrice[]; count: number; decisions: Promise<Decision[]> };

type CountersRedis = Redis & {
  admit(...keysAndArguments: (string | number)[]): Promise<Reply>;
  refund(...keysAndArguments: (string | number)[]): Promise<null>;
  catchUp(...keysAndArguments: (string | number)[]): Promise<null>;
};

export function createCounters(
  connection: Redis,
  namespace: string,
  { inTime, atTurnsEnd }: { inTime: InTime; atTurnsEnd: AtTurnsEnd },
): Counters {
  connection.defineCommand("admit", { numberOfKeys: 4, lua: script("./admit.lua") });
  connection.defineCommand("refund", { numberOfKeys: 2, lua: script("./refund.lua") });
  connection.defineCommand("catchUp", { numberOfKeys: 2, lua: script("./catch-up.lua") });
  const redis = connection as CountersRedis;
  /** Batches that others can still join, by the hash of the key: the last one of each, so that the order is kept. */
  const open = new Map<string, Batch>();

  const admit = (
    handle: string,
    hash: string,
    prices: readonly PlanPrice[],
    count: number,
    timeUs?: number,
  ): Promise<Reply> => {
    const keys = accountRedisKeys(namespace, handle);
    const limits = prices.flatMap(({ plan, burst, quota, costsQuota }) => [plan, burst, quota, costsQuota ? 1 : 0]);
    return inTime(redis.admit(keys.account, keys.key(hash), keys.burst, keys.month, timeUs ?? "", count, ...limits));
  };

  const decideAll: Counters["decideAll"] = async (handle, hash, prices, count, timeUs) =>
    decisionsOf(await admit(handle, hash, prices, count, timeUs), count);

  const openBatch = (handle: string, hash: string, prices: readonly PlanPrice[]): Batch => {
    const decisions = atTurnsEnd(() => {
      if (open.get(hash) === batch) open.delete(hash);
      return decideAll(handle, hash, prices, batch.count);
    });
    const batch: Batch = { handle, prices, count: 0, decisions };
    open.set(hash, batch);
    return batch;
  };

  return {
    async decide(handle, hash, prices, timeUs) {
      if (timeUs !== undefined) return (await decideAll(handle, hash, prices, 1, timeUs))[0]!;
      const last = open.get(hash);
      const batch = last?.prices === prices && last.handle === handle ? last : openBatch(handle, hash, prices);
      const place = batch.count++;
      return (await batch.decisions)[place]!;
    },
    decideAll,
    async works(handle, hash) {
      // With no plan on offer the script goes no further than the key.
      const [verdict] = await admit(handle, hash, [], 0);
      return verdict === "no_plan";
    },
    async refund(handle, { second, burst, ends, month }) {
      const keys = accountRedisKeys(namespace, handle);
      await inTime(redis.refund(keys.burst, keys.month, second, burst, ends, month));
    },
    async catchUp({ handle, burst, endsAt, month }) {
      const keys = accountRedisKeys(namespace, handle);
      await inTime(redis.catchUp(keys.burst, keys.month, burst, endsAt / 1000, month));
    },
    async ping() {
      await inTime(redis.ping());
    },
  };
}

function decisionsOf(reply: Reply, count: number): Decision[] {
  if (reply.length <= 2) {
    const decision = { verdict: reply[0], plan: reply[1] } as Decision;
    return Array.from({ length: count }, () => decision);
  }
  const [last, admitted, plan, keyId, expires, at, costs, second, limit, total, falls, quota, used, ends] =
    reply as Extract<Reply, { length: 14 }>;
  const decisions: Decision[] = [];
  for (let place = 0; place < count; place++) {
    const counts = place < admitted;
    // Those that are admitted after this one.
    const later = counts ? admitted - place - 1 : 0;
    decisions.push({
      verdict: counts ? "admitted" : (last as "rate_limited"),
      plan,
      keyId,
      expiresAt: expires === "" ? null : Number(expires),
      limits: {
        at,
        burst: { limit, used: total - later, resetsAt: falls },
        month: { limit: quota, used: used - later * costs, resetsAt: ends * 1000 },
      },
      counted: { second, burst: counts ? 1 : 0, ends, month: counts ? costs : 0 },
    });
  }
  return decisions;
}
