import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { hashOfKey, newApiKey, newHandle, prefixOfKey } from "./api-key.ts";

export type Account = {
  kind: "account";
  /** The handle: 8 characters that stand in all of its keys. */
  account: string;
  name: string;
  plan: string;
  status: "active" | "suspended" | "deleted";
  created_at: string;
};

/** What is kept of an API key: never the key. */
export type KeyRecord = {
  kind: "key";
  key_id: string;
  account: string;
  key_hash: string;
  prefix: string;
  name: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
};

/** One who may call: a key that holds and its account. */
export type Caller = { account: Account; key: KeyRecord };

export type AccountStore = {
  createAccount(input: { name: string; plan: string }): Promise<Account>;
  account(handle: string): Promise<Account | undefined>;
  accounts(): Promise<Account[]>;
  setPlan(handle: string, plan: string): Promise<Account>;
  createKey(input: { account: string; name: string; expiresAt?: string }): Promise<{ key: string; record: KeyRecord }>;
  keys(handle: string): Promise<KeyRecord[]>;
  revokeKey(keyId: string): Promise<KeyRecord>;
  /** The key with this hash and its account, revoked or not; undefined when there is none. */
  findByHash(hash: string): Promise<Caller | undefined>;
};

export class AccountError extends Error {
  override name = "AccountError";
}

const accountId = (handle: string) => `account:${handle}`;

/** Accounts and hashed keys, kept in one small index of Elasticsearch. Reads by id are in real time. */
export function createAccountStore(client: Client, index: string, now: () => number = Date.now): AccountStore {
  const at = () => new Date(now()).toISOString();

  const get = async <T>(id: string): Promise<T | undefined> => {
    const found = await client.get<T>({ index, id }, { ignore: [404] });
    return found.found ? found._source : undefined;
  };
  const put = (id: string, document: Account | KeyRecord, create = false) =>
    client.index({ index, id, document, refresh: true, ...(create ? { op_type: "create" as const } : {}) });
  const list = async <T>(filter: object[]): Promise<T[]> => {
    const found = await client.search<T>({ index, size: 10_000, query: { bool: { filter } } });
    return found.hits.hits.flatMap((hit) => (hit._source ? [hit._source] : []));
  };
  const accountOrThrow = async (handle: string): Promise<Account> => {
    const account = await get<Account>(accountId(handle));
    if (!account) throw new AccountError(`There is no account '${handle}'. \`ops accounts list\` shows them.`);
    return account;
  };

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
      await put(accountId(account.account), account, true);
      return account;
    },
    account: (handle) => get<Account>(accountId(handle)),
    accounts: async () =>
      (await list<Account>([{ term: { kind: "account" } }])).toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)),
    async setPlan(handle, plan) {
      const account = { ...(await accountOrThrow(handle)), plan };
      await put(accountId(handle), account);
      return account;
    },
    async createKey({ account, name, expiresAt }) {
      await accountOrThrow(account);
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
      await put(`key:${record.key_hash}`, record, true);
      return { key, record };
    },
    keys: async (handle) =>
      (await list<KeyRecord>([{ term: { kind: "key" } }, { term: { account: handle } }])).toSorted((a, b) =>
        a.created_at < b.created_at ? -1 : 1,
      ),
    async revokeKey(keyId) {
      const all = await list<KeyRecord>([{ term: { kind: "key" } }]);
      const found = all.find((key) => key.key_id === keyId);
      if (!found) throw new AccountError(`There is no key '${keyId}'. \`ops keys list\` shows them.`);
      const revoked = { ...found, revoked_at: found.revoked_at ?? at() };
      await put(`key:${found.key_hash}`, revoked);
      return revoked;
    },
    async findByHash(hash) {
      const key = await get<KeyRecord>(`key:${hash}`);
      if (!key) return undefined;
      const account = await get<Account>(accountId(key.account));
      return account && { account, key };
    },
  };
  return store;
}
