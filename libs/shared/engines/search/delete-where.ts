import type { Client, estypes } from "@elastic/elasticsearch";
import { assertNoneFailed } from "./bulk-results.ts";

const AT_ONCE = 1000;

/**
 * Deletes the documents that match a query; returns how many. By search and bulk, because small distributions of the engine have no
 * delete-by-query.
 */
export async function deleteWhere(
  client: Client,
  index: string,
  query: estypes.QueryDslQueryContainer,
): Promise<number> {
  for (let deleted = 0; ;) {
    const { hits } = (await client.search({ index, size: AT_ONCE, query, _source: false })).hits;
    if (hits.length === 0) return deleted;
    const operations = hits.map(({ _id }) => ({ delete: { _id: _id! } }));
    assertNoneFailed(await client.bulk({ index, operations, refresh: true }));
    deleted += hits.length;
    if (hits.length < AT_ONCE) return deleted;
  }
}
