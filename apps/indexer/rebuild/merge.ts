import type { Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { retryForever } from "@tranche/shared/engines/search/retry-forever";
import type { RebuildParts } from "./parts.ts";

/** Elasticsearch does not merge segments above half of `merge.policy.max_merged_segment` (5 GB) until many of their documents are replaced. */
const LARGEST_SEGMENT_BYTES = 2 * 1024 ** 3;

/**
 * Starts to merge the new indices into as few segments as their size allows, because a search visits each segment
 * (docs/decisions/0013-merged-after-the-swap.md). The engine merges in the background, while the indices are searched and written to.
 * A refusal is only logged: searches are slower then, but correct.
 */
export async function startMerging(
  { client, layout, log }: Pick<RebuildParts, "client" | "layout" | "log">,
  indices: Rebuild["indices"],
): Promise<void> {
  for (const model of READ_MODELS) {
    const index = indices[model];
    try {
      const { _all } = await retryForever(() => client.indices.stats({ index, metric: ["store"] }));
      const shardBytes = (_all.primaries?.store?.size_in_bytes ?? 0) / layout.shards;
      const segments = Math.max(1, Math.ceil(shardBytes / LARGEST_SEGMENT_BYTES));
      await retryForever(() =>
        client.indices.forcemerge({ index, max_num_segments: segments, wait_for_completion: false }),
      );
    } catch (error) {
      log.warn({ index, reason: (error as Error).message }, "Elasticsearch refused to merge the new index");
    }
  }
}
