import type { Client, estypes } from "@elastic/elasticsearch";
import { patiently, wholeAnswer } from "./patiently.ts";

const PAGE_SIZE = 5000;

export type SearchAll = {
  index: string;
  query: estypes.QueryDslQueryContainer;
  /** Keyword or date fields that together tell documents apart. */
  sort: string[];
  source: string[] | boolean;
  pageSize?: number;
};

/**
 * Every document of a query, page by page, in the order of `sort`. What changes while it pages may be seen old or new. Passing
 * trouble is waited out.
 */
export async function* searchAll<T>(client: Client, request: SearchAll): AsyncGenerator<T[]> {
  for await (const page of hitsOf<T>(client, request, {})) yield page.map((hit) => hit._source!);
}

/** The same, each document as the hit it is: with its sequence number, by which a change of it can be told. */
export const searchAllHits = <T>(client: Client, request: SearchAll): AsyncGenerator<estypes.SearchHit<T>[]> =>
  hitsOf<T>(client, request, { seq_no_primary_term: true });

async function* hitsOf<T>(
  client: Client,
  request: SearchAll,
  others: estypes.SearchRequest,
): AsyncGenerator<estypes.SearchHit<T>[]> {
  const size = request.pageSize ?? PAGE_SIZE;
  let after: estypes.SortResults | undefined;
  for (;;) {
    const answer = await patiently(async () =>
      wholeAnswer(
        await client.search<T>({
          index: request.index,
          query: request.query,
          sort: request.sort.map((field) => ({ [field]: "asc" as const })),
          _source: request.source,
          size,
          track_total_hits: false,
          ...others,
          ...(after ? { search_after: after } : {}),
        }),
      ),
    );
    const hits = answer.hits.hits;
    if (hits.length > 0) yield hits;
    if (hits.length < size) return;
    after = hits.at(-1)!.sort;
  }
}
