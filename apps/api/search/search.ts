import { type Client, errors, type estypes } from "@elastic/elasticsearch";
import { unavailable } from "../errors/api-error.ts";
import { engineError } from "../errors/engine-error.ts";

export type SearchResult<T> = {
  /** Exact number of matches, where it was asked for. */
  count: number;
  documents: T[];
  /** Of the documents. */
  ids: string[];
  aggregations: Record<string, estypes.AggregationsAggregate>;
};

export type Search = <T>(index: string, request: estypes.SearchRequest) => Promise<SearchResult<T>>;

/**
 * One call of the search engine. A partial answer, one that timed out or one with failed shards is no answer: it throws
 * `unavailable`, so that a short list is never taken for a whole one.
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
      // Left to itself, the client goes through the pieces of an answer one by one: a quarter of what a search costs it.
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
      aggregations: answer.aggregations ?? {},
    };
  };
}
