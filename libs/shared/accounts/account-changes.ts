import { collected, searchAll } from "../engines/search/search-all.ts";
import { type Account, accountDocumentId, AccountError, type KeyRecord } from "./account.ts";
import { newHandle } from "./api-key.ts";
import type { AuditAction } from "./audit.ts";
import type { Throttle } from "./throttle.ts";
import { noAccount, oldestFirst, readAccount, type StoreParts } from "./stored-account.ts";

export type AccountChanges = {
  /** `handle`: a new one, by which the caller can find the account if it is killed meanwhile. */
  createAccount(input: { name: string; plan: string; handle?: string }): Promise<Account>;
  account(handle: string): Promise<Account | undefined>;
  /** All of them, or those with these handles, the oldest first. */
  accounts(handles?: readonly string[]): Promise<Account[]>;
  setPlan(handle: string, plan: string): Promise<Account>;
  /** Its keys open nothing until it is resumed. */
  suspend(handle: string, reason?: string): Promise<Account>;
  resume(handle: string): Promise<Account>;
  /** Lowers its limits, until the throttle ends. */
  throttle(handle: string, throttle: Throttle): Promise<Account>;
  /** Gives it the limits of its plan again. */
  unthrottle(handle: string): Promise<Account>;
  /** For good: its keys and feed links are revoked, its sessions are over, and it can't be resumed. */
  remove(handle: string): Promise<Account>;
};

/** `revoke`: revokes a key or a feed link. */
export function createAccountChanges(
  parts: StoreParts,
  revoke: (key: KeyRecord) => Promise<KeyRecord>,
): AccountChanges {
  const { client, names, copies, now } = parts;
  const { create, change, all, entry: entryOf } = parts.documents;

  const changeAccount = async (
    handle: string,
    action: AuditAction,
    next: (account: Account) => Partial<Account>,
    details?: Record<string, string>,
  ): Promise<Account> => {
    const entry = entryOf(action, handle, details ? { details } : {});
    const { document, version } = await change<Account>(
      accountDocumentId(handle),
      entry,
      noAccount(handle),
      (account) => {
        if (account.status === "deleted") throw new AccountError(`The account '${handle}' is deleted.`);
        return { ...account, ...next(account) };
      },
    );
    await copies?.keepAccount(document, version);
    return document;
  };

  return {
    async createAccount({ name, plan, handle = newHandle() }) {
      const account: Account = {
        kind: "account",
        account: handle,
        name,
        plan,
        status: "active",
        created_at: new Date(now()).toISOString(),
      };
      const entry = entryOf("account.create", account.account, { details: { plan } });
      await create(accountDocumentId(account.account), account, entry);
      return account;
    },
    account: (handle) => readAccount(parts, handle),
    async accounts(handles) {
      const some = handles ? [{ terms: { account: [...handles] } }] : [];
      const query = { bool: { filter: [{ term: { kind: "account" } }, ...some] } };
      const request = { index: names.accounts, query, sort: ["account"], source: true };
      return oldestFirst(await collected(searchAll<Account>(client, request)));
    },
    setPlan: (handle, plan) => changeAccount(handle, "account.set_plan", () => ({ plan }), { plan }),
    suspend: (handle, reason) =>
      changeAccount(handle, "account.suspend", () => ({ status: "suspended" }), reason ? { reason } : undefined),
    resume: (handle) => changeAccount(handle, "account.resume", () => ({ status: "active" })),
    throttle(handle, throttle) {
      const { burst, quota, until, reason } = throttle;
      const details = {
        ...(burst === undefined ? {} : { burst: String(burst) }),
        ...(quota === undefined ? {} : { quota: String(quota) }),
        ...(until === undefined ? {} : { until }),
        reason,
      };
      return changeAccount(handle, "account.throttle", () => ({ throttle }), details);
    },
    unthrottle: (handle) =>
      changeAccount(handle, "account.unthrottle", ({ throttle }) => {
        if (!throttle) throw new AccountError(`The account '${handle}' is not throttled.`);
        return { throttle: undefined };
      }),
    async remove(handle) {
      const account = await changeAccount(handle, "account.delete", () => ({ status: "deleted" }));
      const working = { bool: { must_not: { exists: { field: "revoked_at" } } } };
      const kinds = { terms: { kind: ["key", "feed"] } };
      for (const key of await all<KeyRecord>([kinds, { term: { account: handle } }, working])) await revoke(key);
      return account;
    },
  };
}
