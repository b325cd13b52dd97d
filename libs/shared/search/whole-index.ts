import type { Client, estypes } from "@elastic/elasticsearch";
import { type OnRetry, retryForever, wholeAnswer } from "./retry-forever.ts";

/**
 * Every document of an index in a point in time, page by page, with versions and routing. Temporary failures are retried. `keepAlive`: how
 * long the view stays open between two pages.
 */
export async function* wholeIndex(
  client: Client,
  { pointInTime, keepAlive, pageSize }: { pointInTime: string; keepAlive: string; pageSize: number },
  onRetry?: OnRetry,
): AsyncGenerator<estypes.SearchHit<object>[], undefined> {
  let after: estypes.SortResults | undefined;
  for (;;) {
    const { hits } = await retryForever(
      async () =>
        wholeAnswer(
          await client.search<object>({
            pit: { id: pointInTime, keep_alive: keepAlive },
            sort: ["_shard_doc"],
            size: pageSize,
            version: true,
            track_total_hits: false,
            ...(after ? { search_after: after } : {}),
          }),
        ),
      onRetry,
    );
    if (hits.hits.length > 0) yield hits.hits;
    if (hits.hits.length < pageSize) return;
    after = hits.hits.at(-1)!.sort;
  }
}
