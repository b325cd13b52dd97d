import type { AccountStore } from "@tranche/shared/accounts/account-store";
import { AccountError, type FeedLink, type KeyRecord } from "@tranche/shared/accounts/account";
import type { FeedLinkStore } from "@tranche/shared/accounts/feed-link-store";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { mastersOf } from "@tranche/shared/engines/redis/nodes";

const AT_ONCE = 1000;

/** Changes of accounts and keys that Redis knew and the backup did not. */
type CarriedOver = {
  /** Ids of keys and feed links that were revoked after the backup, and are revoked again. */
  revoked_keys: string[];
  /** Handles of accounts that were suspended or deleted after the backup, and are again. */
  closed_accounts: string[];
};

/**
 * Reconciles Redis with restored accounts. Revocations and suspensions that Redis still has copies of are made again, because they may
 * be newer than the backup. Then all copies are deleted.
 */
export async function reconcileHotCopies(
  redis: RedisClient,
  namespace: string,
  accounts: AccountStore,
  feedLinks: Pick<FeedLinkStore, "revoke">,
): Promise<CarriedOver> {
  const done: CarriedOver = { revoked_keys: [], closed_accounts: [] };
  const copies = await keysOf(redis, `${namespace}:{*}:key:*`);
  for (const key of copies) {
    const [revoked, keyId] = await redis.hmget(key, "revoked", "key_id");
    if (revoked !== "1" || !keyId) continue;
    const [handle, hash] = partsOf(key, namespace);
    const found = await accounts.caller(handle, hash);
    if (!found || found.key.revoked_at !== null) continue;
    // A feed link is read as a key.
    const link = found.key as KeyRecord | FeedLink;
    if (link.kind === "key") await accounts.revokeKey(keyId);
    else if (link.kind === "feed") await feedLinks.revoke(link);
    else continue;
    done.revoked_keys.push(keyId);
  }
  const closed = await keysOf(redis, `${namespace}:{*}:account`);
  for (const key of closed) {
    const status = await redis.hget(key, "status");
    if (status !== "suspended" && status !== "deleted") continue;
    const [handle] = partsOf(key, namespace);
    if ((await accounts.account(handle))?.status !== "active") continue;
    await (
      status === "deleted" ? accounts.remove(handle) : accounts.suspend(handle, "suspended after the backup")
    ).catch((error: Error) => {
      if (!(error instanceof AccountError)) throw error;
    });
    done.closed_accounts.push(handle);
  }
  // Searched again: documents that were just written again have copies, too.
  await forgetHotCopies(redis, namespace, ["key:*", "account", "signouts"]);
  return done;
}

/** Deletes copies: they carry sequence numbers of the lost indices, and would refuse newer ones. */
export async function forgetHotCopies(
  redis: RedisClient,
  namespace: string,
  copies: readonly ("key:*" | "account" | "signouts")[],
): Promise<void> {
  for (const copy of copies) {
    for (const key of await keysOf(redis, `${namespace}:{*}:${copy}`)) await redis.unlink(key);
  }
}

/** Handle and hash of `<namespace>:{<handle>}:key:<hash>`; an account's key has no hash. */
function partsOf(key: string, namespace: string): [handle: string, hash: string] {
  const [, handle = "", hash = ""] = /^\{([^}]*)\}:(?:account$|key:(.*)$)/.exec(key.slice(namespace.length + 1)) ?? [];
  return [handle, hash];
}

/** All keys of a pattern, on all nodes. */
async function keysOf(redis: RedisClient, match: string): Promise<string[]> {
  const found = new Set<string>();
  const nodes = mastersOf(redis);
  for (const node of nodes) {
    for await (const keys of node.scanStream({ match, count: AT_ONCE }) as AsyncIterable<string[]>) {
      for (const key of keys) found.add(key);
    }
  }
  return [...found];
}
