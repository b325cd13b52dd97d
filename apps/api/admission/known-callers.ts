import type { Caller } from "@tranche/shared/accounts/account";
import { lowerLimits } from "@tranche/shared/accounts/throttle";
import { LRUCache } from "lru-cache";
import type { ReadCaller } from "./caller-reader.ts";
import type { LimitStatus } from "./limit-status.ts";

/** During an outage of Redis a caller is read again after this long, so a revocation takes effect at most this late. */
const FRESH_MS = 60_000;
const MAX_CALLERS = 10_000;

/** A caller that this process has admitted, as of `checkedAt` (ms). */
export type KnownCaller = {
  handle: string;
  keyId: string;
  plan: string;
  /** In ms; null: never. */
  expiresAt: number | null;
  checkedAt: number;
  /** The status of its limits when Redis last answered. */
  limits: LimitStatus;
};

/** Why a key does not work. */
export type KeyFault = "revoked" | "expired" | "suspended" | "deleted";

/** Why a key does not work at a time in ms; undefined when it works. */
export function keyFaultOf({ key, account }: Caller, now: number): KeyFault | undefined {
  if (key.revoked_at !== null) return "revoked";
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) return "expired";
  return account.status === "active" ? undefined : account.status;
}

export type KnownCallers = {
  has(hash: string): boolean;
  note(hash: string, caller: KnownCaller): void;
  forget(hash: string): void;
  /** The caller, read again when the last check is too old; undefined when it is not known. */
  recent(hash: string): Promise<KnownCaller | { fault: KeyFault } | undefined>;
};

/** The callers that this process has admitted, by the hash of their key. Only they are admitted during an outage of Redis. */
export function createKnownCallers(read: ReadCaller, now: () => number): KnownCallers {
  const known = new LRUCache<string, KnownCaller>({ max: MAX_CALLERS });

  return {
    has: (hash) => known.has(hash),
    note: (hash, caller) => void known.set(hash, caller),
    forget: (hash) => void known.delete(hash),
    async recent(hash) {
      const caller = known.get(hash);
      if (!caller) return undefined;
      if (caller.expiresAt !== null && caller.expiresAt <= now()) return { fault: "expired" };
      if (now() - caller.checkedAt < FRESH_MS) return caller;
      const checkedAt = now();
      const again = await read({ handle: caller.handle, hash });
      const fault = again ? keyFaultOf(again, checkedAt) : "deleted";
      if (fault) {
        known.delete(hash);
        return { fault };
      }
      const { account, key } = again!;
      const expiresAt = key.expires_at === null ? null : Date.parse(key.expires_at);
      const limits = { ...caller.limits, throttle: account.throttle && lowerLimits(account.throttle) };
      const fresh = { ...caller, plan: account.plan, expiresAt, checkedAt, limits };
      known.set(hash, fresh);
      return fresh;
    },
  };
}
