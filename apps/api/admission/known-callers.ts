import type { Caller } from "@tranche/shared/accounts/account";
import { LRUCache } from "lru-cache";
import type { LimitStatus } from "./limit-status.ts";

/** How long a reading is believed while Redis is away: how late a revocation can be noticed then. */
const BELIEVE_MS = 60_000;
const REMEMBER_CALLERS = 10_000;

/** One who was let in by this process, as of `checkedAt` (ms). */
export type KnownCaller = {
  handle: string;
  keyId: string;
  plan: string;
  /** In ms; null: never. */
  expiresAt: number | null;
  checkedAt: number;
  /** Where the account stood when Redis was last heard. */
  limits: LimitStatus;
};

/** Why a key opens nothing. */
export type KeyFault = "revoked" | "expired" | "suspended" | "deleted";

/** What is wrong with a key or its account at a time in ms; undefined when it holds. */
export function faultOf({ key, account }: Caller, now: number): KeyFault | undefined {
  if (key.revoked_at !== null) return "revoked";
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) return "expired";
  return account.status === "active" ? undefined : account.status;
}

export type KnownCallers = {
  has(hash: string): boolean;
  note(hash: string, caller: KnownCaller): void;
  forget(hash: string): void;
  /** As known, or read again when that was too long ago; undefined for one who is not known. */
  recent(hash: string): Promise<KnownCaller | { fault: KeyFault } | undefined>;
};

/** Callers that this process has let in, by the hash of their key: what it goes by while Redis is away. */
export function createKnownCallers(
  read: (handle: string, hash: string) => Promise<Caller | undefined>,
  now: () => number,
): KnownCallers {
  const known = new LRUCache<string, KnownCaller>({ max: REMEMBER_CALLERS });

  return {
    has: (hash) => known.has(hash),
    note: (hash, caller) => void known.set(hash, caller),
    forget: (hash) => void known.delete(hash),
    async recent(hash) {
      const caller = known.get(hash);
      if (!caller) return undefined;
      if (caller.expiresAt !== null && caller.expiresAt <= now()) return { fault: "expired" };
      if (now() - caller.checkedAt < BELIEVE_MS) return caller;
      const checkedAt = now();
      const again = await read(caller.handle, hash);
      const fault = again ? faultOf(again, checkedAt) : "deleted";
      if (fault) {
        known.delete(hash);
        return { fault };
      }
      const { account, key } = again!;
      const expiresAt = key.expires_at === null ? null : Date.parse(key.expires_at);
      const fresh = { ...caller, plan: account.plan, expiresAt, checkedAt };
      known.set(hash, fresh);
      return fresh;
    },
  };
}
