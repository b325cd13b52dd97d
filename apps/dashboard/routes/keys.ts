import type Router from "@koa/router";
import { AccountError, type KeyRecord } from "@tranche/shared/accounts/account";
import type { Context } from "koa";
import { PageError } from "@tranche/http/errors/page-error";
import { isWorking, type KeyView, keyView } from "@tranche/operations/accounts/key-view";
import { checkedExpiry, newKey, rotation } from "../keys/checked.ts";
import { assertRoom, createKeyInRoom, lookAgain, MAX_WORKING } from "../keys/room.ts";
import { bodyOf } from "@tranche/http/server/json-body";
import { assertActive } from "../sessions/active-account.ts";
import type { DashboardParts } from "./parts.ts";

/** The keys of an account, the newest first, and how many may work at once. */
export type KeysView = { keys: AccountKeyView[]; working: number; max_working: number };
/** A key, and how many requests of assistants it sent to `/mcp` in the last 90 days. */
export type AccountKeyView = KeyView & { mcp_requests: number };
/** A new key, this once. */
export type CreatedKeyView = { key: string; record: KeyView };

/** The keys of the session's account. A key of another account is not found. */
export function addKeys(router: Router, { requireSession, accountsAs, dailyUsage }: DashboardParts): void {
  const storeOf = async (ctx: Context) => {
    const { account, actor, assertStill } = await requireSession(ctx);
    const [handle, store] = [account.account, accountsAs(actor)];
    return { account, handle, store, assertStill };
  };
  const keyOf = async (ctx: Context) => {
    const { account, handle, store, assertStill } = await storeOf(ctx);
    const keys = await store.keys(handle);
    const key = keys.find(({ key_id }) => key_id === ctx["params"].id);
    if (!key) throw new PageError("not_found", "This account has no such key.");
    return { account, store, assertStill, keys, key };
  };

  router.get("/keys", async (ctx) => {
    const { handle, store } = await storeOf(ctx);
    const now = Date.now();
    const [keys, lines] = await Promise.all([store.keys(handle), dailyUsage.read(handle, now)]);
    const mcpRequests = new Map<string, number>();
    for (const { keyId, way, requests } of lines)
      if (way === "mcp") mcpRequests.set(keyId, (mcpRequests.get(keyId) ?? 0) + requests);
    const view: KeysView = {
      keys: keys.map((key) => ({ ...keyView(key, now), mcp_requests: mcpRequests.get(key.key_id) ?? 0 })).toReversed(),
      working: keys.filter((key) => isWorking(key, now)).length,
      max_working: MAX_WORKING,
    };
    ctx.body = { data: view };
  });

  router.post("/keys", async (ctx) => {
    const { account, handle, store, assertStill } = await storeOf(ctx);
    assertActive(account);
    const wanted = bodyOf(ctx, newKey);
    const expiresAt = checkedExpiry(wanted, Date.now());
    const input = { account: handle, name: wanted.name, mayStay: assertStill, ...(expiresAt ? { expiresAt } : {}) };
    const { key, record } = await createKeyInRoom(store, input);
    showOnce(ctx, key, record);
  });

  router.post("/keys/:id/rotate", async (ctx) => {
    const { account, store, assertStill, keys, key } = await keyOf(ctx);
    assertActive(account);
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
      await assertStill();
    };
    const made = await store.rotateKey(key.key_id, overlap_seconds, mayStay).catch((error: Error) => {
      if (!(error instanceof AccountError)) throw error;
      throw new PageError("conflict", "This key was rotated or revoked at the same moment.", { cause: error });
    });
    showOnce(ctx, made.key, made.record);
  });

  router.post("/keys/:id/revoke", async (ctx) => {
    const { store, key } = await keyOf(ctx);
    const revoked = key.revoked_at === null ? await store.revokeKey(key.key_id) : key;
    ctx.body = { data: keyView(revoked, Date.now()) };
  });
}

function showOnce(ctx: Context, key: string, record: KeyRecord): void {
  const view: CreatedKeyView = { key, record: keyView(record, Date.now()) };
  ctx.status = 201;
  ctx.body = { data: view };
}
