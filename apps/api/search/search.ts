import type { Client, estypes } from "@elastic/elasticsearch";
import { createWholeSearch, type SearchOptions } from "./whole-search.ts";

export type SearchResult<T> = {
  /** The number of matches, if it was requested. */
  count: number;
  /** Whether there are more matches than `count`, because it was requested up to a number. */
  more: boolean;
  documents: T[];
  /** The ids of the documents, in the same order. */
  ids: string[];
  /** The sort values of each document, if the request has a sort. */
  sorted: (readonly unknown[])[];
  /** The named conditions that each document meets. */
  matched: (readonly string[])[];
  aggregations: Record<string, estypes.AggregationsAggregate>;
};

/** One call of the search engine, never with a partial result. `signal` cancels it. `withinMs`: how long it may take; default 8 s. */
export type Search = <T>(
  index: string,
  request: estypes.SearchRequest,
  signal?: AbortSignal,
  withinMs?: number,
) => Promise<SearchResult<T>>;

export function createSearch(client: Client, options: SearchOptions): Search {
  const search = createWholeSearch(client, options);
  return async <T>(
    index: string,
    request: estypes.SearchRequest,
    signal?: AbortSignal,
    withinMs?: number,
  ): Promise<SearchResult<T>> => {
    const answer = await search<T>(index, { index, ...request }, signal, withinMs);
    const shown = answer.hits.hits.filter((hit) => hit._source !== undefined);
    return {
      count: countOf(answer.hits),
      more: isLowerBound(answer.hits),
      documents: shown.map((hit) => hit._source!),
      ids: shown.map((hit) => hit._id!),
      sorted: shown.map((hit) => hit.sort ?? []),
      matched: shown.map((hit) => namesIn(hit.matched_queries)),
      aggregations: answer.aggregations ?? {},
    };
  };
}

/** The same search, which a signal cancels. */
export const cancelledBy =
  (signal: AbortSignal, search: Search): Search =>
  (index, request) =>
    search(index, request, signal);

/** The number of matches; 0 when it was not requested. */
export function countOf({ total }: Pick<estypes.SearchHitsMetadata, "total">): number {
  return typeof total === "number" ? total : (total?.value ?? 0);
}

const isLowerBound = ({ total }: Pick<estypes.SearchHitsMetadata, "total">): boolean =>
  typeof total === "object" && total.relation === "gte";

/** The names of the queries that matched. It would be an object with `include_named_queries_score`, which is never sent. */
const namesIn = (matched: estypes.SearchHit["matched_queries"]): readonly string[] =>
  Array.isArray(matched) ? matched : Object.keys(matched ?? {});
