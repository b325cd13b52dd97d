import type { Client, estypes } from "@elastic/elasticsearch";
import { patiently, wholeAnswer } from "./patiently.ts";

const PAGE_SIZE = 5000;

/**
 * Every hit of a query, page by page, in the order of `sort`: keyword or date fields that together tell documents apart.
 * What changes while it pages may be seen old or new. Passing trouble is waited out.
 */
export async function* searchAll<T>(
  client: Client,
  request: {
    index: string;
    query: estypes.QueryDslQueryContainer;
    sort: string[];
    source: string[] | boolean;
    pageSize?: number;
  },
): AsyncGenerator<T[]> {
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
          ...(after ? { search_after: after } : {}),
        }),
      ),
    );
    const hits = answer.hits.hits;
    if (hits.length > 0) yield hits.map((hit) => hit._source!);
    if (hits.length < size) return;
    after = hits.at(-1)!.sort;
  }
}
