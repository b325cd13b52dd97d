import type { Rebuild } from "@tranche/shared/rebuild/state";
import { READ_MODELS } from "@tranche/shared/search/index-names";
import { retryForever } from "@tranche/shared/search/retry-forever";
import type { RebuildParts } from "./parts.ts";

/** Elasticsearch no longer merges what is more than half of `merge.policy.max_merged_segment` (5 GB) until much of it was replaced. */
const LARGEST_SEGMENT_BYTES = 2 * 1024 ** 3;

/**
 * Has the engine merge the new indices into as few segments as their size allows: a search goes through each of them
 * (docs/decisions/0013-merged-after-the-swap.md). It only starts that: the engine goes on by itself, while they are searched and
 * written to. An engine that refuses is told of in the log; searches are slower then, and right.
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
