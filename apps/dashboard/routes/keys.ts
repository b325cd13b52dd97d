import type Router from "@koa/router";
import { AccountError, type KeyRecord } from "@tranche/shared/accounts/account";
import type { Context } from "koa";
import { DashboardError } from "../errors/dashboard-error.ts";
import { checkedExpiry, checkedName, newKey, rotation } from "../keys/checked.ts";
import { isWorking, type KeyView, keyView } from "../keys/key-view.ts";
import { bodyOf } from "../requests/body.ts";
import { assertActive } from "../sessions/active-account.ts";
import type { Parts } from "./parts.ts";

export type { KeyStatus, KeyView } from "../keys/key-view.ts";

/** The keys of an account, the newest first, and how many may work at once. */
export type KeysView = { keys: KeyView[]; working: number; max_working: number };
/** A new key, this once. */
export type CreatedKeyView = { key: string; record: KeyView };

/** The most working keys of an account, and the most that it creates in 24 hours. */
const MAX_WORKING = 100;
const MAX_A_DAY = 200;
const DAY_MS = 86_400_000;

/** The keys of the session's account. A key of another account is not found. */
export function addKeys(router: Router, { requireSession, accountsAs }: Parts): void {
  const storeOf = async (ctx: Context) => {
    const { account, session } = await requireSession(ctx);
    return { account, handle: account.account, store: accountsAs(`member:${session.member}`) };
  };
  const keyOf = async (ctx: Context) => {
    const { account, handle, store } = await storeOf(ctx);
    const keys = await store.keys(handle);
    const key = keys.find(({ key_id }) => key_id === ctx["params"].id);
    if (!key) throw new DashboardError("not_found", "This account has no such key.");
    return { account, store, keys, key };
  };

  router.get("/keys", async (ctx) => {
    const { handle, store } = await storeOf(ctx);
    const keys = (await store.keys(handle)).map((key) => keyView(key, Date.now())).toReversed();
    const view: KeysView = { keys, working: keys.filter(isWorking).length, max_working: MAX_WORKING };
    ctx.body = { data: view };
  });

  router.post("/keys", async (ctx) => {
    const { account, handle, store } = await storeOf(ctx);
    assertActive(account);
    const wanted = bodyOf(ctx, newKey);
    const [name, expiresAt] = [checkedName(wanted.name), checkedExpiry(wanted, Date.now())];
    assertRoom(await store.keys(handle), Date.now());
    const { key, record } = await store.createKey({ account: handle, name, ...(expiresAt ? { expiresAt } : {}) });
    showOnce(ctx, key, record);
  });

  router.post("/keys/:id/rotate", async (ctx) => {
    const { account, store, keys, key } = await keyOf(ctx);
    assertActive(account);
    const { overlap_seconds } = bodyOf(ctx, rotation);
    const { status } = keyView(key, Date.now());
    if (status === "revoked") throw new DashboardError("conflict", "This key is revoked. Create a new one instead.");
    if (status === "expired") throw new DashboardError("conflict", "This key has expired. Create a new one instead.");
    if (status === "rotating") throw new DashboardError("conflict", "This key was rotated before.");
    assertRoom(keys, Date.now(), overlap_seconds > 0 ? 1 : 0);
    const made = await store.rotateKey(key.key_id, overlap_seconds).catch((error: Error) => {
      if (!(error instanceof AccountError)) throw error;
      throw new DashboardError("conflict", "This key was rotated or revoked at the same moment.", { cause: error });
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

/** Throws when the account has no room for one more key. `more`: how many more keys will work. */
function assertRoom(keys: readonly KeyRecord[], now: number, more = 1): void {
  const working = keys.filter((key) => isWorking(keyView(key, now))).length;
  if (working + more > MAX_WORKING) {
    throw new DashboardError(
      "conflict",
      `This account has ${working} keys that work, and ${MAX_WORKING} is the most. Revoke one that is not needed.`,
    );
  }
  if (keys.filter(({ created_at }) => Date.parse(created_at) > now - DAY_MS).length >= MAX_A_DAY) {
    throw new DashboardError("too_many_requests", `This account created ${MAX_A_DAY} keys within a day. Wait a day.`);
  }
}
