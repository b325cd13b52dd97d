import { randomUUID } from "node:crypto";
import type { Client, estypes } from "@elastic/elasticsearch";
import { searchAll } from "../search/search-all.ts";
import { type Account, AccountError, type Caller, keyDocumentId, type KeyRecord } from "./account.ts";
import { hashOfKey, newApiKey, newHandle, prefixOfKey } from "./api-key.ts";
import type { AuditAction, AuditEntry } from "./audit.ts";
import { createAuditedDocuments } from "./documents.ts";
import type { HotCopies } from "./hot-copies.ts";
import { type KeptMonth, keptMonthId } from "./kept-months.ts";

export type { Account, Caller, KeyRecord } from "./account.ts";

/**
 * Accounts, hashed keys and the audit log. Changes go to Elasticsearch first, then to the hot copies that admission uses, so they are
 * effective everywhere when the promise resolves. Rejects with an AccountError for people.
 */
export type AccountStore = {
  createAccount(input: { name: string; plan: string }): Promise<Account>;
  account(handle: string): Promise<Account | undefined>;
  /** All of them, the oldest first. */
  accounts(): Promise<Account[]>;
  setPlan(handle: string, plan: string): Promise<Account>;
  /** Its keys open nothing until it is resumed. */
  suspend(handle: string, reason?: string): Promise<Account>;
  resume(handle: string): Promise<Account>;
  /** For good: its keys, sessions and feed links are revoked, and it can't be resumed. */
  remove(handle: string): Promise<Account>;

  createKey(input: { account: string; name: string; expiresAt?: string }): Promise<{ key: string; record: KeyRecord }>;
  /** All keys of an account, the oldest first. */
  keys(handle: string): Promise<KeyRecord[]>;
  /** All keys of several accounts, by account. */
  keysOf(handles: readonly string[]): Promise<Map<string, KeyRecord[]>>;
  revokeKey(keyId: string): Promise<KeyRecord>;
  /** A new key in place of an old one, which holds for `overlapSeconds` more. A key is rotated once. */
  rotateKey(keyId: string, overlapSeconds: number): Promise<{ key: string; record: KeyRecord; old: KeyRecord }>;
  /** The key with this hash and its account, whether they hold or not; undefined when there is none. In real time. */
  caller(handle: string, hash: string): Promise<Caller | undefined>;
  /** Notes when keys were last used: hash and ISO time. Keys that are no longer there are passed over. */
  noteUses(uses: readonly { hash: string; at: string }[]): Promise<void>;

  /** What was done to accounts and keys, the newest first; of one account if one is given. */
  audit(filter?: { account?: string; limit?: number }): Promise<AuditEntry[]>;
};

export type AccountStoreOptions = {
  /** Who does it, for the audit log. */
  actor?: string;
  /** Left out only where nothing is changed. */
  copies?: HotCopies;
  /** Real time in ms. */
  now?: () => number;
};

/** Readings that requests wait for are given up after this time. */
const READ_WITHIN_MS = 3000;
const AUDIT_PAGE = 100;
/** Elasticsearch takes at most 65,536 terms; from fewer on it is faster to read all keys. */
const MAX_TERMS = 1000;

const accountId = (handle: string) => `account:${handle}`;

/** Kept in one small index of Elasticsearch. */
export function createAccountStore(client: Client, index: string, options: AccountStoreOptions = {}): AccountStore {
  const { actor = "unknown", copies, now = Date.now } = options;
  const at = () => new Date(now()).toISOString();
  const { create, change, search, entry: entryOf } = createAuditedDocuments(client, index, { actor, now });

  const changeAccount = async (
    handle: string,
    action: AuditAction,
    next: (account: Account) => Partial<Account>,
    details?: Record<string, string>,
  ): Promise<Account> => {
    const entry = entryOf(action, handle, details ? { details } : {});
    const { document, version } = await change<Account>(accountId(handle), entry, noAccount(handle), (account) => {
      if (account.status === "deleted") throw new AccountError(`The account '${handle}' is deleted.`);
      return { ...account, ...next(account) };
    });
    await copies?.keepAccount(document, version);
    return document;
  };

  const changeKey = async (
    key: KeyRecord,
    action: AuditAction,
    next: (key: KeyRecord) => Partial<KeyRecord>,
    details?: Record<string, string>,
  ): Promise<KeyRecord> => {
    const entry = entryOf(action, key.account, { key_id: key.key_id, ...(details ? { details } : {}) });
    const { document, version } = await change<KeyRecord>(
      keyDocumentId(key.key_hash),
      entry,
      noKey(key.key_id),
      (read) => ({
        ...read,
        ...next(read),
      }),
    );
    await copies?.keepKey(document, version);
    return document;
  };

  const keyNamed = async (keyId: string): Promise<KeyRecord> => {
    const [found] = await search<KeyRecord>([{ term: { kind: "key" } }, { term: { key_id: keyId } }], 1);
    if (!found) throw new AccountError(noKey(keyId));
    return found;
  };
  const revoke = (key: KeyRecord) =>
    changeKey(key, "key.revoke", ({ revoked_at }) => ({ revoked_at: revoked_at ?? at() }));

  const store: AccountStore = {
    async createAccount({ name, plan }) {
      const account: Account = {
        kind: "account",
        account: newHandle(),
        name,
        plan,
        status: "active",
        created_at: at(),
      };
      const entry = entryOf("account.create", account.account, { details: { plan } });
      await create(accountId(account.account), account, entry);
      return account;
    },
    async account(handle) {
      const found = await client.get<Account>({ index, id: accountId(handle) }, { ignore: [404] });
      return found.found ? found._source : undefined;
    },
    async accounts() {
      const all: Account[] = [];
      const request = { index, query: { term: { kind: "account" } }, sort: ["account"], source: true };
      for await (const page of searchAll<Account>(client, request)) all.push(...page);
      return oldestFirst(all);
    },
    setPlan: (handle, plan) => changeAccount(handle, "account.set_plan", () => ({ plan }), { plan }),
    suspend: (handle, reason) =>
      changeAccount(handle, "account.suspend", () => ({ status: "suspended" }), reason ? { reason } : undefined),
    resume: (handle) => changeAccount(handle, "account.resume", () => ({ status: "active" })),
    async remove(handle) {
      const account = await changeAccount(handle, "account.delete", () => ({ status: "deleted" }));
      const keys = await search<KeyRecord>([
        { terms: { kind: ["key", "session", "feed"] } },
        { term: { account: handle } },
      ]);
      for (const key of keys) if (key.revoked_at === null) await revoke(key);
      return account;
    },

    async createKey({ account, name, expiresAt }) {
      const owner = await store.account(account);
      if (!owner) throw new AccountError(noAccount(account));
      if (owner.status === "deleted") throw new AccountError(`The account '${account}' is deleted.`);
      const key = newApiKey(account);
      const record: KeyRecord = {
        kind: "key",
        key_id: randomUUID(),
        account,
        key_hash: hashOfKey(key),
        prefix: prefixOfKey(key),
        name,
        created_at: at(),
        expires_at: expiresAt ?? null,
        revoked_at: null,
      };
      const entry = entryOf("key.create", account, { key_id: record.key_id, details: { name } });
      await create(keyDocumentId(record.key_hash), record, entry);
      return { key, record };
    },
    keys: async (handle) =>
      oldestFirst(await search<KeyRecord>([{ term: { kind: "key" } }, { term: { account: handle } }])),
    async keysOf(handles) {
      const keys = new Map<string, KeyRecord[]>(handles.map((handle) => [handle, []]));
      if (handles.length === 0) return keys;
      const some = handles.length <= MAX_TERMS ? [{ terms: { account: [...handles] } }] : [];
      const filter = [{ term: { kind: "key" } }, ...some];
      const request = { index, query: { bool: { filter } }, sort: ["key_id"], source: true };
      for await (const page of searchAll<KeyRecord>(client, request)) {
        for (const key of page) keys.get(key.account)?.push(key);
      }
      return keys;
    },
    revokeKey: async (keyId) => revoke(await keyNamed(keyId)),
    async rotateKey(keyId, overlapSeconds) {
      const rotated = await keyNamed(keyId);
      assertNotEnded(rotated);
      const expires =
        rotated.expires_at !== null && Date.parse(rotated.expires_at) > now() ? { expiresAt: rotated.expires_at } : {};
      const made = await store.createKey({ account: rotated.account, name: rotated.name, ...expires });
      const replaced_by = made.record.key_id;
      try {
        const next = (key: KeyRecord): Partial<KeyRecord> => {
          assertNotEnded(key);
          return overlapSeconds > 0
            ? { replaced_by, expires_at: sooner(key.expires_at, now() + overlapSeconds * 1000) }
            : { replaced_by, revoked_at: at() };
        };
        const old = await changeKey(rotated, "key.rotate", next, { new_key_id: replaced_by });
        return { ...made, old };
      } catch (error) {
        // Somebody else rotated or revoked it meanwhile, and nobody learns the new key.
        if (error instanceof AccountError) await revoke(made.record);
        throw error;
      }
    },
    async caller(handle, hash) {
      const ids = [accountId(handle), keyDocumentId(hash), keptMonthId(handle)];
      const answer = await client.mget<Account | KeyRecord | KeptMonth>(
        { index, ids },
        { requestTimeout: READ_WITHIN_MS },
      );
      for (const found of answer.docs)
        if ("error" in found) throw new Error(`${found.error.type}: ${found.error.reason}`);
      const [account, key, month] = answer.docs as [
        estypes.GetGetResult<Account>,
        estypes.GetGetResult<KeyRecord>,
        estypes.GetGetResult<KeptMonth>,
      ];
      if (!account.found || !key.found || key._source!.account !== handle) return undefined;
      return {
        account: account._source!,
        key: key._source!,
        versions: { account: account._seq_no!, key: key._seq_no! },
        ...(month.found ? { month: month._source! } : {}),
      };
    },
    async noteUses(uses) {
      if (uses.length === 0) return;
      const operations = uses.flatMap(({ hash, at: last_used_at }) => [
        { update: { _id: keyDocumentId(hash), retry_on_conflict: 3 } },
        { doc: { last_used_at } },
      ]);
      await client.bulk({ index, operations, refresh: true });
    },

    audit: ({ account, limit = AUDIT_PAGE } = {}) =>
      search<AuditEntry>([{ term: { kind: "audit" } }, ...(account ? [{ term: { account } }] : [])], limit, [
        { at: "desc" },
        { audit_id: "asc" },
      ]),
  };
  return store;
}

const noAccount = (handle: string) => `There is no account '${handle}'. \`ops accounts list\` shows them.`;
const noKey = (keyId: string) => `There is no key '${keyId}'. \`ops keys list\` shows them.`;

function assertNotEnded({ key_id, revoked_at, replaced_by }: KeyRecord): void {
  if (revoked_at !== null) throw new AccountError(`The key '${key_id}' is revoked: make a new one instead.`);
  if (replaced_by !== undefined) {
    throw new AccountError(`The key '${key_id}' was rotated before: '${replaced_by}' takes its place.`);
  }
}

/** ISO time of the earlier of the two; `other` in ms. */
function sooner(iso: string | null, other: number): string {
  return iso !== null && Date.parse(iso) < other ? iso : new Date(other).toISOString();
}

const oldestFirst = <T extends { created_at: string }>(all: T[]): T[] =>
  all.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
