import type { Client, estypes } from "@elastic/elasticsearch";
import { type OnRetry, PartialAnswer, retryForever, wholeAnswer } from "./retry-forever.ts";

/** A shard may be slow a few times in a row. One whose node is gone never answers again: the point in time is gone with the node. */
const MAX_PARTIAL_ANSWERS = 5;

/**
 * Every document of an index in a point in time, page by page, with versions and routing. Temporary failures are retried. `keepAlive`: how
 * long the view stays open between two pages. Throws PointInTimeLost when Elasticsearch has lost it.
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
      (error, attempt) => {
        onRetry?.(error, attempt);
        if (error instanceof PartialAnswer && attempt >= MAX_PARTIAL_ANSWERS) throw new PointInTimeLost();
      },
    ).catch((error: unknown) => {
      throw isMissing(error) ? new PointInTimeLost() : error;
    });
    if (hits.hits.length > 0) yield hits.hits;
    if (hits.hits.length < pageSize) return;
    after = hits.hits.at(-1)!.sort;
  }
}

/** The reading so far can't be continued: the index has to be read again from its beginning. */
export class PointInTimeLost extends Error {
  override name = "PointInTimeLost";
  constructor() {
    super(
      "Elasticsearch lost the point in time that an index was read in, because a node was lost or the reader was slow.",
    );
  }
}

/** Elasticsearch knows nothing of the point in time on any shard. */
const isMissing = (error: unknown): boolean =>
  JSON.stringify((error as { meta?: { body?: unknown } } | null)?.meta?.body ?? "").includes(
    "search_context_missing_exception",
  );
