import { readFileSync } from "node:fs";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import type { RedisGateway } from "../redis/gateway.ts";
import type { Credentials } from "./credentials.ts";
import { type Counted, type Decision, decisionsOf, type Reply } from "./decision.ts";

const script = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** The limits of a plan, and how many requests of its quota a request costs. `pooled`: of a session, it comes out of the own pool first. */
export type PlanPrice = { plan: string; burst: number; quota: number; cost: number; pool: number; pooled: boolean };

/** The requests of an account that this process admitted during an outage of Redis: in the last 60 seconds, and in the month that ends at `endsAt` (ms). */
export type Backlog = { handle: string; burst: number; endsAt: number; month: number };

/** The windows of all accounts, in Redis. Every method rejects with RedisAway when Redis does not answer in time. */
export type Counters = {
  /**
   * Decides and counts a request. Concurrent requests of one key with the same prices (the same array) share a round trip. Each gets
   * the decision that it would have got alone, in the order in which they came. Tests pass `timeUs` as the time of the decision; such
   * requests do not share a round trip.
   */
  decide(credentials: Credentials, prices: readonly PlanPrice[], timeUs?: number): Promise<Decision>;
  /** Decides and counts equal requests in one round trip, as if one came after the other. */
  decideAll(
    credentials: Credentials,
    prices: readonly PlanPrice[],
    count: number,
    timeUs?: number,
  ): Promise<Decision[]>;
  /**
   * Charges further requests to the quota of the month that ends at `ends` (s): all, or none when fewer are left. `advance`: stores them
   * under a lease, so that they are refunded when it expires.
   */
  chargeMore(
    handle: string,
    month: { ends: number; quota: number },
    count: number,
    advance?: AdvanceLease,
  ): Promise<MonthCharge>;
  /** Renews the lease of an advance with `undelivered` requests, or ends the advance if that is undefined. Refunds `back` requests now. */
  settleAdvance(handle: string, advance: AdvanceLease, undelivered: number | undefined, back: number): Promise<void>;
  /** Refunds an account's advances whose lease has expired, and returns the number of requests. `leased`: advances that are still leased. */
  refundExpired(handle: string): Promise<{ requests: number; leased: number }>;
  /** Takes a request out of the month that it was counted in, unless that has ended. */
  refund(handle: string, counted: Counted): Promise<void>;
  /** Counts the requests that were admitted during an outage of Redis. */
  catchUp(backlog: Backlog): Promise<void>;
};

/** Whether requests were charged, how much of the month is used after it, and when the month ends (s). */
type MonthCharge = { charged: boolean; used: number; ends: number };

/** The id and the lease of an advance (advance.ts). */
type AdvanceLease = { id: string; leaseMs: number };

/** An export ends within an hour, so no process renews an older advance. */
const KEEP_EXPIRED_MS = 3_600_000;

/** Equal requests that share a round trip. */
type Batch = { handle: string; prices: readonly PlanPrice[]; count: number; decisions: Promise<Decision[]> };

type CountersRedis = RedisClient & {
  admit(...keysAndArguments: (string | number)[]): Promise<Reply>;
  chargeMore(...keysAndArguments: (string | number)[]): Promise<[charged: 0 | 1, used: number, ends: number]>;
  settleAdvance(...keysAndArguments: (string | number)[]): Promise<0 | 1>;
  refundExpired(...keysAndArguments: (string | number)[]): Promise<[requests: number, leased: number]>;
  refund(...keysAndArguments: (string | number)[]): Promise<null>;
  catchUp(...keysAndArguments: (string | number)[]): Promise<null>;
};

export function createCounters(
  { redis: connection, nodeStateOf, coalesce }: Pick<RedisGateway, "redis" | "nodeStateOf" | "coalesce">,
  namespace: string,
): Counters {
  connection.defineCommand("admit", { numberOfKeys: 5, lua: script("./admit.lua") });
  connection.defineCommand("chargeMore", { numberOfKeys: 2, lua: script("./charge-more.lua") });
  connection.defineCommand("settleAdvance", { numberOfKeys: 2, lua: script("./settle-advance.lua") });
  connection.defineCommand("refundExpired", { numberOfKeys: 2, lua: script("./refund-expired.lua") });
  connection.defineCommand("refund", { numberOfKeys: 1, lua: script("./refund.lua") });
  connection.defineCommand("catchUp", { numberOfKeys: 2, lua: script("./catch-up.lua") });
  const redis = connection as CountersRedis;
  /** The batch that requests of a key can still join, by the hash of the key. Only the last one, so that the order is kept. */
  const open = new Map<string, Batch>();

  const admit = (
    { handle, hash }: Credentials,
    prices: readonly PlanPrice[],
    count: number,
    timeUs?: number,
  ): Promise<Reply> => {
    const keys = accountRedisKeys(namespace, handle);
    const limits = prices.flatMap(({ plan, burst, quota, cost, pool, pooled }) => {
      return [plan, burst, quota, cost, pool, pooled ? 1 : 0];
    });
    return nodeStateOf(keys.account).withTimeout(
      redis.admit(keys.account, keys.key(hash), keys.burst, keys.month, keys.signOuts, timeUs ?? "", count, ...limits),
    );
  };

  const decideAll: Counters["decideAll"] = async (credentials, prices, count, timeUs) =>
    decisionsOf(await admit(credentials, prices, count, timeUs), count);

  const openBatch = (credentials: Credentials, prices: readonly PlanPrice[]): Batch => {
    const { handle, hash } = credentials;
    const decisions = coalesce(() => {
      if (open.get(hash) === batch) open.delete(hash);
      return decideAll(credentials, prices, batch.count);
    });
    const batch: Batch = { handle, prices, count: 0, decisions };
    open.set(hash, batch);
    return batch;
  };

  return {
    async decide(credentials, prices, timeUs) {
      if (timeUs !== undefined) return (await decideAll(credentials, prices, 1, timeUs))[0]!;
      const last = open.get(credentials.hash);
      const joinable = last?.prices === prices && last.handle === credentials.handle;
      const batch = joinable ? last : openBatch(credentials, prices);
      const place = batch.count++;
      return (await batch.decisions)[place]!;
    },
    decideAll,
    async chargeMore(handle, { ends, quota }, count, { id, leaseMs } = { id: "", leaseMs: 0 }) {
      const { month, advances } = accountRedisKeys(namespace, handle);
      const [charged, used, endsAt] = await coalesce(() =>
        nodeStateOf(month).withTimeout(redis.chargeMore(month, advances, ends, quota, count, id, leaseMs)),
      );
      return { charged: charged === 1, used, ends: endsAt };
    },
    async settleAdvance(handle, { id, leaseMs }, undelivered, back) {
      const { month, advances } = accountRedisKeys(namespace, handle);
      await nodeStateOf(month).withTimeout(redis.settleAdvance(month, advances, id, undelivered ?? "", back, leaseMs));
    },
    async refundExpired(handle) {
      const { month, advances } = accountRedisKeys(namespace, handle);
      const [requests, leased] = await nodeStateOf(month).withTimeout(
        redis.refundExpired(month, advances, KEEP_EXPIRED_MS),
      );
      return { requests, leased };
    },
    async refund(handle, { ends, month: requests, own }) {
      const { month } = accountRedisKeys(namespace, handle);
      await nodeStateOf(month).withTimeout(redis.refund(month, ends, requests, own ? "own" : "used"));
    },
    async catchUp({ handle, burst, endsAt, month }) {
      const keys = accountRedisKeys(namespace, handle);
      await nodeStateOf(keys.burst).withTimeout(redis.catchUp(keys.burst, keys.month, burst, endsAt / 1000, month));
    },
  };
}
