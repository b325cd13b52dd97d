import type { estypes } from "@elastic/elasticsearch";
import { drawnAtRandom } from "@tranche/shared/engines/search/id-ranges";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import { type IdBucket, range, type Bucket } from "./bucket.ts";

/**
 * Rows with the same value, or without one, are ordered by id. Ids can have any form, so no histogram divides them evenly. A random
 * sample of them gives the bounds of the buckets. The sample only decides how even the buckets are: their counts are exact.
 */
const SAMPLE_SIZE = 255;

/** The search for a random sample of the ids of rows that `query` finds. */
export function sampleIds(query: estypes.QueryDslQueryContainer, idField: string): estypes.SearchRequest {
  return {
    query: drawnAtRandom(query, { seed: 1, field: "_seq_no" }),
    size: SAMPLE_SIZE,
    track_total_hits: false,
    _source: [idField],
  };
}

/** Divides a bucket at the ids of a sample of its rows. The counts are 0 until `idBucketsOf` sets them. */
export function idBuckets(outer: Bucket, sample: readonly string[]): IdBucket[] {
  const { group, ids } = "ids" in outer ? outer : { group: outer, ids: { from: null, to: null } };
  const bounds = [ids.from, ...[...new Set(sample)].toSorted(byCodePoint), ids.to];
  return bounds.slice(1).map((to, i) => ({ group, ids: { from: bounds[i]!, to }, count: 0 }));
}

/** The aggregation `buckets` that counts the rows of each bucket. */
export function idBucketsAggregation(
  buckets: readonly IdBucket[],
  idField: string,
): estypes.AggregationsAggregationContainer {
  return { filters: { filters: buckets.map(({ ids }) => range(idField, ids.from, ids.to)) } };
}

/** The buckets with their counts from the answer, without the empty ones. */
export function idBucketsOf(buckets: readonly IdBucket[], answer: estypes.AggregationsAggregate): IdBucket[] {
  const { buckets: counted } = answer as unknown as { buckets: { doc_count: number }[] };
  return buckets.map((bucket, i) => ({ ...bucket, count: counted[i]!.doc_count })).filter(({ count }) => count > 0);
}
