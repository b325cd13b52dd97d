import type { estypes } from "@elastic/elasticsearch";
import { writeBulk } from "@tranche/shared/engines/search/bulk";
import type { PipelineParts } from "../pipeline/parts.ts";

/** Removes the found documents that nobody has written since they were read, and returns those. */
export async function remove<T>(
  parts: PipelineParts,
  hits: readonly estypes.SearchHit<T>[],
): Promise<estypes.SearchHit<T>[]> {
  if (hits.length === 0) return [];
  const items = hits.map((hit) => ({
    index: hit._index,
    id: hit._id!,
    document: null,
    unchangedSince: { seqNo: hit._seq_no!, primaryTerm: hit._primary_term! },
  }));
  const results = await writeBulk(parts.client, items, { onRetry: parts.onRetry });
  return hits.filter((_, position) => results[position] === "done");
}
