import type { Client, estypes } from "@elastic/elasticsearch";
import { PartialAnswer, retryForever, wholeAnswer } from "./retry-forever.ts";
import { pagesOf } from "./search-all.ts";

/** A shard may be slow a few times in a row. One whose node is gone never answers again: the view is gone with the node. */
const MAX_PARTIAL_ANSWERS = 5;

/** An index as it was at one moment, whatever is written meanwhile: a point in time. Temporary failures are retried. */
export type IndexView = {
  /** The number of its documents. */
  count(): Promise<number>;
  /** Its documents page by page, with versions and routing. `sort`: fields that identify a document. Throws ViewLost. */
  pages<T>(request: {
    pageSize: number;
    query?: estypes.QueryDslQueryContainer;
    sort?: string[];
  }): AsyncGenerator<estypes.SearchHit<T>[]>;
  close(): Promise<void>;
};

/** `keepAlive`: how long the view stays open between two pages. */
export async function viewIndex(client: Client, index: string, keepAlive: string): Promise<IndexView> {
  const { id } = await retryForever(() => client.openPointInTime({ index, keep_alive: keepAlive }));
  const search = async <T>(request: estypes.SearchRequest) =>
    wholeAnswer(await client.search<T>({ pit: { id, keep_alive: keepAlive }, ...request }));
  return {
    async count() {
      const { hits } = await retryForever(() => search({ size: 0, track_total_hits: true }));
      return (hits.total as estypes.SearchTotalHits).value;
    },
    pages<T>({ pageSize, query, sort = ["_shard_doc"] }: Parameters<IndexView["pages"]>[0]) {
      return pagesOf<T>(pageSize, async (after) => {
        const page = retryForever(
          () =>
            search<T>({
              ...(query ? { query } : {}),
              sort,
              size: pageSize,
              version: true,
              track_total_hits: false,
              ...(after ? { search_after: after } : {}),
            }),
          (error, attempt) => {
            if (error instanceof PartialAnswer && attempt >= MAX_PARTIAL_ANSWERS) throw new ViewLost(index, keepAlive);
          },
        );
        const { hits } = await page.catch((error: unknown) => {
          throw isMissing(error) ? new ViewLost(index, keepAlive) : error;
        });
        return hits.hits;
      });
    },
    close: async () => void (await client.closePointInTime({ id }).catch(() => {})),
  };
}

/** The reading so far can't be continued: the index has to be read again from its beginning. */
class ViewLost extends Error {
  override name = "ViewLost";
  constructor(index: string, keepAlive: string) {
    super(
      `Elasticsearch no longer has the view of ${index} that was read: its reader paused for more than ${keepAlive}, or a node was restarted. Run it again.`,
    );
  }
}

/** Elasticsearch knows nothing of the point in time on any shard. */
const isMissing = (error: unknown): boolean =>
  JSON.stringify((error as { meta?: { body?: unknown } } | null)?.meta?.body ?? "").includes(
    "search_context_missing_exception",
  );
