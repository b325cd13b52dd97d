import type { Client, estypes } from "@elastic/elasticsearch";
import { leftEarly } from "../errors/api-error.ts";
import { engineError } from "../errors/engine-error.ts";
import { countOf, type SearchResult } from "./search.ts";
import { createWholeSearch, type SearchOptions } from "./whole-search.ts";

/** An index as it was at one moment, whatever is written afterwards. It has to be closed: it keeps replaced segments on disk. */
export type PointInTime = {
  page<T>(request: estypes.SearchRequest, signal: AbortSignal): Promise<SortedPage<T>>;
  /** The sort values of each document of a search. */
  sortValues(request: estypes.SearchRequest, signal: AbortSignal): Promise<estypes.SortResults[]>;
  /** A search for aggregations. `withinMs`: how long it may take. */
  aggregate(request: estypes.SearchRequest, signal: AbortSignal, withinMs: number): Promise<Aggregated>;
  /** Never rejects: Elasticsearch drops unused ones by itself. */
  close(): Promise<void>;
};

/** One page of a search. */
export type SortedPage<T> = {
  /** The exact number of matches, if it was requested. */
  count: number;
  documents: T[];
  /** The sort values of the last document: the next page is after them. */
  last: estypes.SortResults | undefined;
};

/** The count of a search. */
export type Aggregated = Pick<SearchResult<unknown>, "count" | "aggregations">;

/** Throws an error reply such as `unavailable`. */
export type OpenPointInTime = (index: string, signal: AbortSignal) => Promise<PointInTime>;

/** Longer than a page may take, and short enough that a killed process does not keep much for long. */
const KEEP_ALIVE = "2m";
/** The parts of an answer that are needed: parsing the others takes time. */
export const PAGE_PARTS = [
  "pit_id",
  "timed_out",
  "_shards.failed",
  "hits.total",
  "hits.hits._source",
  "hits.hits.sort",
];

export function createPointsInTime(client: Client, options: SearchOptions): OpenPointInTime {
  const search = createWholeSearch(client, options);
  return async (index, signal) => {
    const requestTimeout = options.timeoutMs + 1000;
    const opening = client.openPointInTime({ index, keep_alive: KEEP_ALIVE }, { signal, requestTimeout });
    let { id } = await opening.catch((error: unknown) => {
      throw signal.aborted ? leftEarly(error) : engineError(error);
    });
    const hitsOf = async <T>(request: estypes.SearchRequest, stop: AbortSignal) => {
      const pit = { id, keep_alive: KEEP_ALIVE };
      const answer = await search<T>(index, { pit, filter_path: PAGE_PARTS, ...request }, stop);
      id = answer.pit_id ?? id;
      // With `filter_path`, an empty list is missing.
      const { hits = [], ...rest } = (answer.hits as Partial<typeof answer.hits> | undefined) ?? {};
      return { hits, rest };
    };
    return {
      async page<T>(request: estypes.SearchRequest, stop: AbortSignal) {
        const { hits, rest } = await hitsOf<T>(request, stop);
        return { count: countOf(rest), documents: hits.map((hit) => hit._source!), last: hits.at(-1)?.sort };
      },
      async sortValues(request, stop) {
        const { hits } = await hitsOf(request, stop);
        return hits.map(({ sort }) => sort!);
      },
      async aggregate(request, stop, withinMs) {
        const answer = await search(index, { pit: { id, keep_alive: KEEP_ALIVE }, ...request }, stop, withinMs);
        id = answer.pit_id ?? id;
        return { count: countOf(answer.hits), aggregations: answer.aggregations ?? {} };
      },
      async close() {
        await client.closePointInTime({ id }, { requestTimeout }).catch(() => {});
      },
    };
  };
}
