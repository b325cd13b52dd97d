import type { estypes } from "@elastic/elasticsearch";
import { byCodePoint } from "@tranche/shared/text/order";
import { type IdBucket, range, type Bucket } from "./bucket.ts";

/**
 * Rows of one value, or of none, are ordered by id. Ids have no steps to count by, whatever they look like; so some of them are
 * drawn, and counted between. What is drawn only says how even the buckets are: the counts are exact.
 */
const DRAWN = 255;

/** The search that draws ids of rows which `query` finds. */
export function sampleIds(query: estypes.QueryDslQueryContainer, idField: string): estypes.SearchRequest {
  const score: estypes.QueryDslFunctionScoreQuery = {
    query,
    functions: [{ random_score: { seed: 1, field: "_seq_no" } }],
    boost_mode: "replace",
  };
  return {
    query: { function_score: score },
    size: DRAWN,
    track_total_hits: false,
    _source: [idField],
  };
}

/** Spans between ids that were drawn among the rows of a bucket; their counts are still to be made. */
export function idBuckets(outer: Bucket, drawn: readonly string[]): IdBucket[] {
  const { group, ids } = "ids" in outer ? outer : { group: outer, ids: { from: null, to: null } };
  const bounds = [ids.from, ...[...new Set(drawn)].toSorted(byCodePoint), ids.to];
  return bounds.slice(1).map((to, i) => ({ group, ids: { from: bounds[i]!, to }, count: 0 }));
}

/** The aggregation `buckets` that counts them. */
export function idBucketsAggregation(
  buckets: readonly IdBucket[],
  idField: string,
): estypes.AggregationsAggregationContainer {
  return { filters: { filters: buckets.map(({ ids }) => range(idField, ids.from, ids.to)) } };
}

/** The buckets with the counts of an answer, those that have rows. */
export function idBucketsOf(buckets: readonly IdBucket[], answer: estypes.AggregationsAggregate): IdBucket[] {
  const { buckets: counted } = answer as unknown as { buckets: { doc_count: number }[] };
  return buckets.map((bucket, i) => ({ ...bucket, count: counted[i]!.doc_count })).filter(({ count }) => count > 0);
}
