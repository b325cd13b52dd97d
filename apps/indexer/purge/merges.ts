import type { estypes } from "@elastic/elasticsearch";
import { isOnTop } from "@tranche/shared/domain/records/overlay";
import { RECORD_TYPES, type RecordType } from "@tranche/shared/domain/records/record";
import type { StoredMerge } from "@tranche/shared/domain/records/stored";
import { writeBulk } from "@tranche/shared/engines/search/bulk";
import { assertWritten } from "@tranche/shared/engines/search/bulk-results";
import { storedById } from "@tranche/shared/engines/search/records";
import { searchAllHits } from "@tranche/shared/engines/search/search-all";
import type { PipelineParts } from "../pipeline/parts.ts";
import { recordItem } from "../write/documents.ts";
import { remove } from "./remove.ts";
import { refreshed } from "@tranche/shared/engines/search/refreshed";

const PAGE_SIZE = 2000;

/** Removes merges that newer upserts and deletes have replaced; returns how many. */
export async function purgeMerges(parts: PipelineParts): Promise<number> {
  let removed = 0;
  for (const type of RECORD_TYPES) {
    const pages = searchAllHits<StoredMerge>(parts.client, {
      index: parts.names.record("merge"),
      query: { term: { type } },
      sort: ["record_id", "id"],
      source: true,
      pageSize: PAGE_SIZE,
    });
    for await (const page of pages) removed += await purgePage(parts, type, page);
  }
  return removed;
}

async function purgePage(
  parts: PipelineParts,
  type: RecordType,
  merges: readonly estypes.SearchHit<StoredMerge>[],
): Promise<number> {
  const ids = [...new Set(merges.map((hit) => hit._source!.record_id))];
  const stored = new Map((await storedById(parts, type, ids)).map((record) => [record.id, record]));
  await nameAgain(
    parts,
    merges.map((hit) => hit._source!).filter((merge) => !stored.has(merge.record_id)),
  );
  const replaced = merges.filter(({ _source }) => !isOnTop(_source!, stored.get(_source!.record_id)));
  return (await remove(parts, replaced)).length;
}

/** For merges that arrived while the purge removed their deleted record: writes its empty document again, so that its id is found. */
async function nameAgain(parts: PipelineParts, merges: readonly StoredMerge[]): Promise<void> {
  if (merges.length === 0) return;
  const items = merges.map(({ type, record_id, version, updated_at, fields }) =>
    recordItem(parts.names, { type, id: record_id, version, updated_at, merge: fields }),
  );
  assertWritten(await writeBulk(parts.client, items, { onRetry: parts.onRetry }), "empty documents of merges");
  await refreshed(parts.client, items[0]!.index, parts.onRetry);
}
