import type Router from "@koa/router";
import { AccountError, type KeyRecord } from "@tranche/shared/accounts/account";
import type { Context } from "koa";
import { PageError } from "@tranche/http/errors/page-error";
import { isWorking, type KeyView, keyView } from "@tranche/operations/accounts/key-view";
import { checkedExpiry, newKey, rotation } from "../keys/checked.ts";
import { assertRoom, createKeyInRoom, lookAgain, MAX_WORKING } from "../keys/room.ts";
import { bodyOf } from "@tranche/http/server/json-body";
import type { SignedIn } from "../sessions/signed-in.ts";
import { addRequests } from "./requests.ts";
import type { DashboardParts } from "./parts.ts";

/** The keys of an account, the newest first, and how many may work at once. */
export type KeysView = { keys: AccountKeyView[]; working: number; max_working: number };
/** A key, and how many requests of assistants it sent to `/mcp` in the last 90 days. */
export type AccountKeyView = KeyView & { mcp_requests: number };
/** A new key, this once. */
export type CreatedKeyView = { key: string; record: KeyView };

/** The keys of the session's account. A key of another account is not found. */
export function addKeys(router: Router, { requireSession, accountsAs, dailyUsage }: DashboardParts): void {
  const keyOf = async ({ account, actor }: SignedIn, ctx: Context) => {
    const store = accountsAs(actor);
    const keys = await store.keys(account.account);
    const key = keys.find(({ key_id }) => key_id === ctx["params"].id);
    if (!key) throw new PageError("not_found", "This account has no such key.");
    return { store, keys, key };
  };

  addRequests(router, requireSession, {
    async "GET /keys"({ account: { account }, actor }): Promise<KeysView> {
      const now = Date.now();
      const [keys, lines] = await Promise.all([accountsAs(actor).keys(account), dailyUsage.read(account, now)]);
      const mcpRequests = new Map<string, number>();
      for (const { keyId, way, requests } of lines)
        if (way === "mcp") mcpRequests.set(keyId, (mcpRequests.get(keyId) ?? 0) + requests);
      return {
        keys: keys
          .map((key) => ({ ...keyView(key, now), mcp_requests: mcpRequests.get(key.key_id) ?? 0 }))
          .toReversed(),
        working: keys.filter((key) => isWorking(key, now)).length,
        max_working: MAX_WORKING,
      };
    },

    async "POST /keys"({ account: { account }, actor, assertStill }, ctx) {
      const wanted = bodyOf(ctx, newKey);
      const expiresAt = checkedExpiry(wanted, Date.now());
      const input = { account, name: wanted.name, mayStay: assertStill, ...(expiresAt ? { expiresAt } : {}) };
      return shownOnce(await createKeyInRoom(accountsAs(actor), input));
    },

    async "POST /keys/:id/rotate"(signedIn, ctx) {
      const { store, keys, key } = await keyOf(signedIn, ctx);
      const { overlap_seconds } = bodyOf(ctx, rotation);
      const { status } = keyView(key, Date.now());
      if (status === "revoked") throw new PageError("conflict", "This key is revoked. Create a new one instead.");
      if (status === "expired") throw new PageError("conflict", "This key has expired. Create a new one instead.");
      if (status === "rotating") throw new PageError("conflict", "This key was rotated before.");
      // Without an overlap, the old key stops working after the new one is made.
      const leaving = overlap_seconds > 0 ? 0 : 1;
      assertRoom(keys, Date.now(), { working: 1 - leaving, made: 1 });
      const mayStay = async () => {
        await lookAgain(store, key.account, leaving);
        await signedIn.assertStill();
      };
      const made = await store.rotateKey(key.key_id, overlap_seconds, mayStay).catch((error: Error) => {
        if (!(error instanceof AccountError)) throw error;
        throw new PageError("conflict", "This key was rotated or revoked at the same moment.", { cause: error });
      });
      return shownOnce(made);
    },

    async "POST /keys/:id/revoke"(signedIn, ctx): Promise<KeyView> {
      const { store, key } = await keyOf(signedIn, ctx);
      return keyView(key.revoked_at === null ? await store.revokeKey(key.key_id) : key, Date.now());
    },
  });
}

const shownOnce = ({ key, record }: { key: string; record: KeyRecord }): CreatedKeyView => ({
  key,
  record: keyView(record, Date.now()),
});
