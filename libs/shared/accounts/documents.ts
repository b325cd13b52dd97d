import { randomUUID } from "node:crypto";
import type { Client, estypes } from "@elastic/elasticsearch";
import { assertNoneFailed } from "../engines/search/bulk-results.ts";
import { retryConflicts } from "../engines/search/retry-conflicts.ts";
import { readAll } from "../engines/search/search-all.ts";
import { AccountError } from "./account.ts";
import type { AuditAction, AuditEntry } from "./audit.ts";

/** A document that was changed, and its version: the higher one is newer. */
type Changed<T> = { document: T; version: number };

/** Documents of the index of accounts. Every write goes with its entry in the audit log, in one request. */
export type AuditedDocuments = {
  /** Rejects when the id is taken. */
  create: (id: string, document: object, entry: AuditEntry) => Promise<void>;
  /** Returns false when the id is taken. */
  createUnlessThere: (id: string, document: object, entry: AuditEntry) => Promise<boolean>;
  /**
   * Reads, changes and writes as one step: when somebody else was faster, it reads again, a few times. Rejects with an AccountError that
   * says `missing` when there is no such document, or that others always were faster.
   */
  change: <T extends object>(
    id: string,
    entry: AuditEntry,
    missing: string,
    next: (document: T) => T,
  ) => Promise<Changed<T>>;
  /** At most `size` documents, in an order. */
  search: <T>(
    query: object[],
    size: number,
    order?: Pick<estypes.SearchRequest, "sort" | "search_after">,
  ) => Promise<T[]>;
  /** All of them, with an id in `key_id`. `source`: the fields that are read; `pageSize`: how many documents are read at once. */
  all: <T>(query: object[], options?: { source?: string[]; pageSize?: number }) => Promise<T[]>;
  /** `account`: undefined for what concerns the whole installation. */
  entry: (
    action: AuditAction,
    account: string | undefined,
    rest?: Pick<AuditEntry, "key_id" | "details">,
  ) => AuditEntry;
};

/** `actor` is for the audit log; `now` is real time in ms. */
export function createAuditedDocuments(
  client: Client,
  index: string,
  { actor, now }: { actor: string; now: () => number },
): AuditedDocuments {
  /** Writes a document together with its audit entry; returns its version, undefined when it was changed since it was read. */
  const write = async (
    id: string,
    document: object,
    entry: AuditEntry,
    guard: Pick<estypes.BulkIndexOperation, "if_seq_no" | "if_primary_term"> | "create",
  ): Promise<number | undefined> => {
    const action = guard === "create" ? { create: { _id: id } } : { index: { _id: id, ...guard } };
    const operations = [action, document, { index: { _id: `audit:${entry.audit_id}` } }, entry];
    const answer = await client.bulk({ index, refresh: true, operations });
    const main = Object.values(answer.items[0]!)[0]!;
    if (main.status === 409) return undefined;
    assertNoneFailed(answer);
    return main._seq_no!;
  };

  const documents: AuditedDocuments = {
    async create(id, document, entry) {
      if (!(await documents.createUnlessThere(id, document, entry)))
        throw new Error(`There is a document ${id} already`);
    },
    createUnlessThere: async (id, document, entry) => (await write(id, document, entry, "create")) !== undefined,
    async change<T extends object>(id: string, entry: AuditEntry, missing: string, next: (document: T) => T) {
      const changed = await retryConflicts(async () => {
        const found = await client.get<T>({ index, id }, { ignore: [404] });
        if (!found.found) throw new AccountError(missing);
        const document = next(found._source!);
        const guard = { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! };
        const version = await write(id, document, entry, guard);
        return version === undefined ? undefined : { document, version };
      });
      if (!changed) throw new AccountError("Others are changing the same thing at this moment. Try again.");
      return changed;
    },
    async search<T>(query: object[], size: number, order: Pick<estypes.SearchRequest, "sort" | "search_after"> = {}) {
      const found = await client.search<T>({ index, size, query: { bool: { filter: query } }, ...order });
      return found.hits.hits.map((hit) => hit._source!);
    },
    all: <T>(filter: object[], options: { source?: string[]; pageSize?: number } = {}) =>
      readAll<T>(client, { index, query: { bool: { filter } }, sort: ["key_id"], source: true, ...options }),
    entry: (action, account, rest = {}) => ({
      kind: "audit",
      audit_id: randomUUID(),
      at: new Date(now()).toISOString(),
      actor,
      action,
      ...(account === undefined ? {} : { account }),
      ...rest,
    }),
  };
  return documents;
}
