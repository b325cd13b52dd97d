import { type Client, errors, type estypes } from "@elastic/elasticsearch";
import { leftEarly, unavailable } from "../errors/api-error.ts";
import { engineError } from "../errors/engine-error.ts";

export type SearchOptions = {
  /** How long a call may take, unless it says so itself. */
  timeoutMs: number;
  /** Sees every call: how long it took, and how long the search engine says that it took, in ms. */
  observe?: (index: string, ms: number, took: number | undefined) => void;
};

/**
 * One call of the search engine. Throws `unavailable` for a partial result: one that timed out or lacks shards. `of`: the name of the
 * index in the log. `signal` cancels it, also in Elasticsearch; then it throws `request_timeout`. `withinMs`: how long it may take.
 */
type WholeSearch = <T>(
  of: string,
  request: estypes.SearchRequest,
  signal?: AbortSignal,
  withinMs?: number,
) => Promise<estypes.SearchResponse<T>>;

export function createWholeSearch(client: Client, options: SearchOptions): WholeSearch {
  return async <T>(
    of: string,
    request: estypes.SearchRequest,
    signal?: AbortSignal,
    withinMs: number = options.timeoutMs,
  ) => {
    const start = performance.now();
    let answer: estypes.SearchResponse<T> | undefined;
    // At the end of a time of its own the client dispatches an event on the signal, to which others listen.
    const stop = signal && withinMs !== options.timeoutMs ? AbortSignal.any([signal]) : signal;
    try {
      const result = await client.search<T>(
        { timeout: `${withinMs}ms`, allow_partial_search_results: false, ...request },
        {
          requestTimeout: withinMs + 1000,
          asStream: true,
          meta: true,
          ...(stop ? { signal: stop } : {}),
        },
      );
      // The client would process the response chunk by chunk, which takes a quarter of the CPU time of a search.
      answer = JSON.parse(
        await (result.body as unknown as { text(): Promise<string> }).text(),
      ) as estypes.SearchResponse<T>;
      if (result.statusCode >= 400) throw new errors.ResponseError({ ...result, body: answer });
    } catch (error) {
      throw signal?.aborted ? leftEarly(error) : engineError(error);
    } finally {
      options.observe?.(of, performance.now() - start, answer?.took);
    }
    if (answer.timed_out || answer._shards.failed > 0) {
      throw unavailable(
        new Error(`a partial answer of ${of}: timed_out ${answer.timed_out}, ${answer._shards.failed} shards failed`),
      );
    }
    return answer;
  };
}
