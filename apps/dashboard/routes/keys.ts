import { AccountError, type KeyRecord } from "@tranche/shared/accounts/account";
import { PageError } from "@tranche/http/errors/page-error";
import { isWorking, keyView } from "@tranche/operations/accounts/key-view";
import { checkedExpiry, newKey, rotation } from "../keys/checked.ts";
import { assertRoom, createKeyInRoom, lookAgain, MAX_WORKING } from "../keys/room.ts";
import { type Asked, request } from "./requests.ts";
import type { DashboardParts } from "./parts.ts";

/** The keys of the session's account. A key of another account is not found. */
export function keyRequests({ accountsAs, dailyUsage }: DashboardParts) {
  const keyOf = async ({ account, actor, id }: Asked) => {
    const store = accountsAs(actor);
    const keys = await store.keys(account.account);
    const key = keys.find(({ key_id }) => key_id === id);
    if (!key) throw new PageError("not_found", "This account has no such key.");
    return { store, keys, key };
  };

  return {
    "GET /keys": request({}, async ({ account: { account }, actor }) => {
      const now = Date.now();
      const [keys, lines] = await Promise.all([accountsAs(actor).keys(account), dailyUsage.read(account, now)]);
      const mcpRequests = new Map<string, number>();
      for (const { keyId, way, requests } of lines)
        if (way === "mcp") mcpRequests.set(keyId, (mcpRequests.get(keyId) ?? 0) + requests);
      return {
        keys: keys
          .map((key) => ({
            ...keyView(key, now),
            /** Requests of assistants to `/mcp` in the last 90 days. */
            mcp_requests: mcpRequests.get(key.key_id) ?? 0,
          }))
          .toReversed(),
        working: keys.filter((key) => isWorking(key, now)).length,
        max_working: MAX_WORKING,
      };
    }),

    "POST /keys": request({ body: newKey }, async ({ account: { account }, actor, assertStill, body }) => {
      const expiresAt = checkedExpiry(body, Date.now());
      const input = { account, name: body.name, mayStay: assertStill, ...(expiresAt ? { expiresAt } : {}) };
      return shownOnce(await createKeyInRoom(accountsAs(actor), input));
    }),

    "POST /keys/:id/rotate": request({ body: rotation }, async (asked) => {
      const { overlap_seconds } = asked.body;
      const { store, keys, key } = await keyOf(asked);
      const { status } = keyView(key, Date.now());
      if (status === "revoked") throw new PageError("conflict", "This key is revoked. Create a new one instead.");
      if (status === "expired") throw new PageError("conflict", "This key has expired. Create a new one instead.");
      if (status === "rotating") throw new PageError("conflict", "This key was rotated before.");
      // Without an overlap, the old key stops working after the new one is made.
      const leaving = overlap_seconds > 0 ? 0 : 1;
      assertRoom(keys, Date.now(), { working: 1 - leaving, made: 1 });
      const mayStay = async () => {
        await lookAgain(store, key.account, leaving);
        await asked.assertStill();
      };
      const made = await store.rotateKey(key.key_id, overlap_seconds, mayStay).catch((error: Error) => {
        if (!(error instanceof AccountError)) throw error;
        throw new PageError("conflict", "This key was rotated or revoked at the same moment.", { cause: error });
      });
      return shownOnce(made);
    }),

    "POST /keys/:id/revoke": request({}, async (asked) => {
      const { store, key } = await keyOf(asked);
      return keyView(key.revoked_at === null ? await store.revokeKey(key.key_id) : key, Date.now());
    }),
  };
}

/** A new key, this once. */
const shownOnce = ({ key, record }: { key: string; record: KeyRecord }) => ({
  key,
  record: keyView(record, Date.now()),
});
