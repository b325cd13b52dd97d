import { type Client, errors, type estypes } from "@elastic/elasticsearch";
import { unavailable } from "../errors/api-error.ts";
import { engineError } from "../errors/engine-error.ts";

export type SearchResult<T> = {
  /** The exact number of matches, if it was requested. */
  count: number;
  documents: T[];
  /** Of the documents. */
  ids: string[];
  /** What each document was sorted by, if the request has a sort. */
  sorted: (readonly unknown[])[];
  aggregations: Record<string, estypes.AggregationsAggregate>;
};

export type Search = <T>(index: string, request: estypes.SearchRequest) => Promise<SearchResult<T>>;

/**
 * One call of the search engine. Throws `unavailable` for a result that timed out or lacks shards, so that a partial list is never
 * taken for a complete one.
 */
export function createSearch(
  client: Client,
  options: { timeoutMs: number; observe?: (seconds: number) => void },
): Search {
  return async <T>(index: string, request: estypes.SearchRequest): Promise<SearchResult<T>> => {
    const start = performance.now();
    let answer: estypes.SearchResponse<T>;
    try {
      const result = await client.search<T>(
        { index, timeout: `${options.timeoutMs}ms`, allow_partial_search_results: false, ...request },
        { requestTimeout: options.timeoutMs + 1000, asStream: true, meta: true },
      );
      // The client would process the response chunk by chunk, which takes a quarter of the CPU time of a search.
      answer = JSON.parse(await (result.body as unknown as { text(): Promise<string> }).text()) as typeof answer;
      if (result.statusCode >= 400) throw new errors.ResponseError({ ...result, body: answer });
    } catch (error) {
      throw engineError(error);
    } finally {
      options.observe?.((performance.now() - start) / 1000);
    }
    if (answer.timed_out || answer._shards.failed > 0) {
      throw unavailable(
        new Error(
          `a partial answer of ${index}: timed_out ${answer.timed_out}, ${answer._shards.failed} shards failed`,
        ),
      );
    }
    const { total, hits } = answer.hits;
    const shown = hits.filter((hit) => hit._source !== undefined);
    return {
      count: typeof total === "number" ? total : (total?.value ?? 0),
      documents: shown.map((hit) => hit._source!),
      ids: shown.map((hit) => hit._id!),
      sorted: shown.map((hit) => hit.sort ?? []),
      aggregations: answer.aggregations ?? {},
    };
  };
}
