import { randomUUID } from "node:crypto";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import { ApiError, unavailable } from "../errors/api-error.ts";
import type { RedisGateway } from "../redis/gateway.ts";
import { createLeases } from "../redis/leases.ts";

export type SlotLimits = {
  /** Exports that an account may have under way, in all processes together. */
  perAccount: number;
  /** Exports that this process may have under way. */
  perProcess: number;
  /** A slot is leased for so long and renewed before; the slots of a killed process are free after it. */
  leaseMs: number;
};

export const SLOT_LIMITS: SlotLimits = { perAccount: 2, perProcess: 20, leaseMs: 30_000 };

/** The use of slots: its key among those of an account, and its name in texts. */
type SlotsOf = { key: "exports" | "waits"; what: string; each: string };
export const EXPORTS: SlotsOf = { key: "exports", what: "exports under way", each: "one of them has ended" };
export const WAITS: SlotsOf = { key: "waits", what: "requests that wait for changes", each: "one of them is answered" };

/** Requests that wait for changes. They cost hardly anything, but each holds a connection. */
export const WAIT_LIMITS: SlotLimits = { perAccount: 10, perProcess: 5000, leaseMs: 40_000 };

/** The exports, or the waiting requests, under way. */
export type Slots = {
  /** Takes a slot of an account; resolves with the function that frees it. Throws `rate_limited` or `unavailable` when there is none. */
  take(account: string): Promise<() => Promise<void>>;
};

/** Nobody knows how long the exports under way take. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Slots of an account are leased in Redis, because several processes serve it. While Redis is away, each process counts for itself; its
 * leases are in Redis again with their next renewal.
 */
export function createSlots(
  gateway: Pick<RedisGateway, "redis" | "nodeStateOf">,
  namespace: string,
  { perAccount, perProcess, leaseMs }: SlotLimits,
  of: SlotsOf,
): Slots {
  const leases = createLeases(gateway);
  /** Those of this process, by account. */
  const taken = new Map<string, number>();
  let all = 0;

  const count = (account: string, change: 1 | -1) => {
    all += change;
    const now = (taken.get(account) ?? 0) + change;
    if (now > 0) taken.set(account, now);
    else taken.delete(account);
  };

  return {
    async take(account) {
      if ((taken.get(account) ?? 0) >= perAccount) throw tooMany(perAccount, of);
      if (all >= perProcess) throw unavailable(new Error(`there are ${all} ${of.what}`), RETRY_AFTER_SECONDS);
      const key = accountRedisKeys(namespace, account)[of.key];
      const id = randomUUID();
      count(account, 1);
      let leased: number | undefined;
      try {
        leased = await leases.take(key, id, leaseMs, perAccount);
      } catch (error) {
        count(account, -1);
        throw error;
      }
      if (leased === 0) {
        count(account, -1);
        throw tooMany(perAccount, of);
      }
      const renewing = setInterval(() => void leases.take(key, id, leaseMs).catch(() => {}), leaseMs / 3).unref();
      return async () => {
        clearInterval(renewing);
        count(account, -1);
        await leases.end(key, id, leaseMs);
      };
    },
  };
}

function tooMany(slots: number, { what, each }: SlotsOf): ApiError {
  const message = `An account may have ${slots} ${what} at once, and it has ${slots}. Try again when ${each}.`;
  return new ApiError("rate_limited", message, { headers: { "Retry-After": String(RETRY_AFTER_SECONDS) } });
}
