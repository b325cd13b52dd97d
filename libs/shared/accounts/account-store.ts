import type { Client } from "@elastic/elasticsearch";
import { type AccountChanges, createAccountChanges } from "./account-changes.ts";
import type { AuditEntry } from "./audit.ts";
import { type Callers, createCallers } from "./callers.ts";
import { createAuditedDocuments } from "./documents.ts";
import type { HotCopies } from "./hot-copies.ts";
import { createKeyChanges, type KeyChanges } from "./key-changes.ts";
import { readAll } from "../engines/search/search-all.ts";
import type { IndexNames } from "../engines/search/index-names.ts";

export type { Account, Caller, KeyRecord } from "./account.ts";

/**
 * Accounts, hashed keys and the audit log. Changes go to Elasticsearch first, then to the hot copies that admission uses, so they are
 * effective everywhere when the promise resolves. Rejects with an AccountError for people.
 */
export type AccountStore = AccountChanges &
  KeyChanges &
  Callers & {
    /** Actions on accounts and keys, the newest first; of one account if one is given, and those that come after an entry if one is. */
    audit(filter?: {
      account?: string;
      limit?: number;
      after?: Pick<AuditEntry, "at" | "audit_id">;
    }): Promise<AuditEntry[]>;
    /** How these keys were made. */
    creationsOf(keyIds: readonly string[]): Promise<AuditEntry[]>;
  };

type AccountStoreOptions = {
  /** The actor, for the audit log. */
  actor?: string;
  /** Left out only where nothing is changed. */
  copies?: HotCopies;
  /** Real time in ms. */
  now?: () => number;
};

const AUDIT_PAGE = 100;

/** Kept in one small index of Elasticsearch. Sessions are read with the members that they need, from the dashboard's. */
export function createAccountStore(
  client: Client,
  names: Pick<IndexNames, "accounts" | "dashboard">,
  options: AccountStoreOptions = {},
): AccountStore {
  const { actor = "unknown", copies, now = Date.now } = options;
  const documents = createAuditedDocuments(client, names.accounts, { actor, now });
  const parts = { client, names, documents, copies, now };
  const { revoke, ...keys } = createKeyChanges(parts);
  return {
    ...createAccountChanges(parts, revoke),
    ...keys,
    ...createCallers(parts),
    audit: ({ account, limit = AUDIT_PAGE, after } = {}) =>
      documents.search<AuditEntry>([{ term: { kind: "audit" } }, ...(account ? [{ term: { account } }] : [])], limit, {
        sort: [{ at: "desc" }, { audit_id: "asc" }],
        ...(after ? { search_after: [Date.parse(after.at), after.audit_id] } : {}),
      }),
    async creationsOf(keyIds) {
      const actions = await readAll<AuditEntry>(client, {
        index: names.accounts,
        query: { bool: { filter: [{ term: { kind: "audit" } }, { terms: { key_id: [...keyIds] } }] } },
        sort: ["audit_id"],
        source: true,
      });
      return actions.filter(({ action }) => action === "key.create");
    },
  };
}
