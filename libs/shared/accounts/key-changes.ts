import { randomUUID } from "node:crypto";
import { searchAll } from "../engines/search/search-all.ts";
import { AccountError, keyDocumentId, type KeyRecord } from "./account.ts";
import { hashOfKey, newApiKey, prefixOfKey } from "./api-key.ts";
import { assertStays, type MayStay } from "./assert-stays.ts";
import type { AuditAction } from "./audit.ts";
import { noAccount, oldestFirst, readAccount, type StoreParts } from "./stored-account.ts";

export type KeyChanges = {
  createKey(input: KeyInput): Promise<{ key: string; record: KeyRecord }>;
  /** All keys of an account, the oldest first. */
  keys(handle: string): Promise<KeyRecord[]>;
  /** All keys of several accounts, by account. */
  keysOf(handles: readonly string[]): Promise<Map<string, KeyRecord[]>>;
  revokeKey(keyId: string): Promise<KeyRecord>;
  /** A new key in place of an old one, which holds for `overlapSeconds` more. A key is rotated once. `mayStay`: of the new key. */
  rotateKey(
    keyId: string,
    overlapSeconds: number,
    mayStay?: MayStay,
  ): Promise<{ key: string; record: KeyRecord; old: KeyRecord }>;
};

/** `mayStay` is asked before anybody learns the key. */
type KeyInput = { account: string; name: string; expiresAt?: string; mayStay?: MayStay | undefined };

/** Elasticsearch takes at most 65,536 terms; from fewer on it is faster to read all keys. */
const MAX_TERMS = 1000;

/** `revoke`: revokes a key or a feed link that was read before. */
export function createKeyChanges(parts: StoreParts): KeyChanges & { revoke: (key: KeyRecord) => Promise<KeyRecord> } {
  const { client, names, copies, now } = parts;
  const { create, change, search, all, entry: entryOf } = parts.documents;
  const at = () => new Date(now()).toISOString();

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

  const createKey: KeyChanges["createKey"] = async ({ account, name, expiresAt, mayStay }) => {
    const owner = await readAccount(parts, account);
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
    if (mayStay) await assertStays(mayStay, () => revoke(record));
    return { key, record };
  };

  return {
    revoke,
    createKey,
    keys: async (handle) =>
      oldestFirst(await all<KeyRecord>([{ term: { kind: "key" } }, { term: { account: handle } }])),
    async keysOf(handles) {
      const keys = new Map<string, KeyRecord[]>(handles.map((handle) => [handle, []]));
      if (handles.length === 0) return keys;
      const some = handles.length <= MAX_TERMS ? [{ terms: { account: [...handles] } }] : [];
      const filter = [{ term: { kind: "key" } }, ...some];
      const request = { index: names.accounts, query: { bool: { filter } }, sort: ["key_id"], source: true };
      for await (const page of searchAll<KeyRecord>(client, request)) {
        for (const key of page) keys.get(key.account)?.push(key);
      }
      return keys;
    },
    revokeKey: async (keyId) => revoke(await keyNamed(keyId)),
    async rotateKey(keyId, overlapSeconds, mayStay) {
      const rotated = await keyNamed(keyId);
      assertNotEnded(rotated);
      const expires =
        rotated.expires_at !== null && Date.parse(rotated.expires_at) > now() ? { expiresAt: rotated.expires_at } : {};
      const made = await createKey({ account: rotated.account, name: rotated.name, ...expires, mayStay });
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
  };
}

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
