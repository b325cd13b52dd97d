import { readFileSync } from "node:fs";
import type { Account, Caller } from "./account.ts";
import { accountRedisKeys } from "./redis-keys.ts";
import type { RedisClient } from "../engines/redis/connect.ts";
import { copiedThrottle } from "./throttle.ts";

/** A copy is read afresh after this time: how late a change can be noticed that did not reach Redis. */
const KEEP_SECONDS = 60;
/** Refusals, and the number of the last sign-out, are kept longer than any earlier reading can be under way. */
const KEEP_REFUSAL_SECONDS = 3600;

const SCRIPT = readFileSync(new URL("./keep-copy.lua", import.meta.url), "utf8");

/** Copies of accounts and keys in Redis, from which requests are admitted. A newer one is never replaced by an older. */
export type HotCopies = {
  keepAccount(account: Account, version: number): Promise<void>;
  /** `signOuts`: of a session or an access token, the last sign-out of its account when it was read. */
  keepKey(key: Caller["key"], version: number, signOuts?: number): Promise<void>;
  /** From then on, sessions and access tokens of the account that were read before this sign-out are read again. */
  keepSignOuts(account: string, version: number): Promise<void>;
  keep(caller: Caller): Promise<void>;
};

type CopyRedis = RedisClient & {
  keepCopy(key: string, version: number, seconds: number, ...fields: string[]): Promise<0 | 1>;
};

export function createHotCopies(connection: RedisClient, namespace: string): HotCopies {
  connection.defineCommand("keepCopy", { numberOfKeys: 1, lua: SCRIPT });
  const redis = connection as CopyRedis;

  const copies: HotCopies = {
    async keepAccount({ account, plan, status, throttle }, version) {
      const seconds = status === "active" ? KEEP_SECONDS : KEEP_REFUSAL_SECONDS;
      const key = accountRedisKeys(namespace, account).account;
      const fields = { plan, status, throttle: copiedThrottle(throttle) };
      await redis.keepCopy(key, version, seconds, ...Object.entries(fields).flat());
    },
    async keepKey({ kind, account, key_hash, key_id, expires_at, revoked_at }, version, signOuts) {
      const revoked = revoked_at !== null;
      const expires = expires_at === null ? "" : String(Date.parse(expires_at));
      const seconds = revoked ? KEEP_REFUSAL_SECONDS : KEEP_SECONDS;
      const fields = {
        key_id,
        expires_at: expires,
        revoked: revoked ? "1" : "0",
        signouts: String(signOuts ?? ""),
        own: kind === "session" ? "1" : "0",
      };
      await redis.keepCopy(
        accountRedisKeys(namespace, account).key(key_hash),
        version,
        seconds,
        ...Object.entries(fields).flat(),
      );
    },
    async keepSignOuts(account, version) {
      await redis.keepCopy(accountRedisKeys(namespace, account).signOuts, version, KEEP_REFUSAL_SECONDS);
    },
    async keep({ account, key, versions: { signOuts, ...versions } }) {
      await Promise.all([
        copies.keepAccount(account, versions.account),
        copies.keepKey(key, versions.key, signOuts),
        signOuts === undefined ? undefined : copies.keepSignOuts(account.account, signOuts),
      ]);
    },
  };
  return copies;
}
