import type { Client, estypes } from "@elastic/elasticsearch";
import type { RecordType } from "../../domain/records/record.ts";
import type { StoredMerge } from "../../domain/records/stored.ts";
import { chunks } from "./chunks.ts";
import type { IndexNames } from "./index-names.ts";
import { type OnRetry, retryForever, wholeAnswer } from "./retry-forever.ts";
import { collected, searchAll } from "./search-all.ts";

/** The engine takes at most 65,536 terms in a query. */
const IDS_AT_ONCE = 10_000;

/** The merges that are stored and refreshed. */
export type Merges = {
  /** False when there are none at all. */
  any: boolean;
  /** Those of some records, by the records' ids. */
  of(type: RecordType, ids: readonly string[]): Promise<Map<string, StoredMerge[]>>;
  /** The ids of records with a merge that fits a query of `slug`, `company_id` or `investor_ids`. */
  recordsWhere(type: RecordType, query: estypes.QueryDslQueryContainer): Promise<string[]>;
};

const NONE: Merges = { any: false, of: async () => new Map(), recordsWhere: async () => [] };

/**
 * Opens the merges to read them with records. Where there are none it costs one small search and nothing afterwards. A result is valid
 * for one batch only: a later batch has to see the merges that were refreshed before its ticket, so it opens them again.
 */
export async function openMerges(parts: { client: Client; names: IndexNames; onRetry?: OnRetry }): Promise<Merges> {
  const { client, names, onRetry } = parts;
  const index = names.record("merge");
  const counting = async () => wholeAnswer(await client.count({ index, terminate_after: 1 }));
  const { count } = await retryForever(counting, onRetry);
  if (count === 0) return NONE;
  const find = (type: RecordType, query: estypes.QueryDslQueryContainer, source: string[] | boolean) => {
    const filter = [{ term: { type } }, query];
    return collected(searchAll<StoredMerge>(client, { index, query: { bool: { filter } }, sort: ["id"], source }));
  };
  return {
    any: true,
    async of(type, ids) {
      const found: StoredMerge[] = [];
      for (const some of chunks(ids, IDS_AT_ONCE))
        found.push(...(await find(type, { terms: { record_id: some } }, true)));
      return Map.groupBy(found, (merge) => merge.record_id);
    },
    async recordsWhere(type, query) {
      const found = await find(type, query, ["record_id"]);
      return [...new Set(found.map((merge) => merge.record_id))];
    },
  };
}
