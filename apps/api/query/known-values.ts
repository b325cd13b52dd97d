import type { estypes } from "@elastic/elasticsearch";

type Item = { field: string; key: string };
/** `ids`: the field with ids, which the item may also be. */
type RequestedItem = Item & { keys: readonly string[]; ids?: string | undefined; item: string };

/** Counts, in the aggregation `items`, the documents that have each key, in the order given. */
export function existenceQuery(items: readonly RequestedItem[]): estypes.SearchRequest {
  return {
    size: 0,
    track_total_hits: false,
    aggs: { items: { filters: { filters: items.map(exists) } } },
  };
}

function exists({ field, keys, ids, item }: RequestedItem): estypes.QueryDslQueryContainer {
  const named = { terms: { [field]: [...keys] } };
  if (ids === undefined) return named;
  return { bool: { should: [named, { term: { [ids]: item } }], minimum_should_match: 1 } };
}

/**
 * For the i-th key: in `like<i>` the values within two edits, and in `longer<i>` the most frequent ones that begin with
 * it, each under `keys`.
 */
export function nearbyQuery(items: readonly Item[]): estypes.SearchRequest {
  const aggs: Record<string, estypes.AggregationsAggregationContainer> = {};
  for (const [i, { field, key }] of items.entries()) {
    aggs[`like${i}`] = {
      filter: { fuzzy: { [field]: { value: key, fuzziness: "AUTO", prefix_length: 1, max_expansions: 30 } } },
      aggs: { keys: { terms: { field, size: 100 } } },
    };
    aggs[`longer${i}`] = {
      filter: { prefix: { [field]: `${key}-` } },
      aggs: { keys: { terms: { field, size: 1, include: `${escaped(key)}-.*` } } },
    };
  }
  return { size: 0, track_total_hits: false, aggs };
}

/** Keys are letters, digits and hyphens, so that nothing else can mean something in a pattern. */
const escaped = (key: string) => key.replace(/[^\p{L}\p{N}-]/gu, (sign) => `\\${sign}`);
