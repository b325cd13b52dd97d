import type { estypes } from "@elastic/elasticsearch";
import { also, listQuery } from "@tranche/read-models/query/list-query";
import type { SingleFlight } from "../cache/single-flight.ts";
import type { Search } from "../search/search.ts";
import { type Bucket, sumOf, type ValueBucket, within } from "./bucket.ts";
import { bucketsOf, STRATEGIES } from "./buckets.ts";
import { idBuckets, idBucketsAggregation, idBucketsOf, sampleIds } from "./id-buckets.ts";
import type { PageRequest } from "./page.ts";

/** The buckets of a list, or those that divide one bucket: values ascending, then ids, rows without a value last. */
export type BucketList = { buckets: Bucket[]; count: number };

/** A request for the buckets of a list. `recent`: those of an earlier generation do, too, for as long as anything is kept. */
type BucketRequest = PageRequest & { recent?: true };

/** A request for the buckets of the whole list, without the caller's filters. They may be old: they only make a guess. */
export const guessFrom = (request: PageRequest): BucketRequest => ({
  ...request,
  filters: request.filters.filter((filter) => "is" in filter),
  recent: true,
});

export type BucketLists = ReturnType<typeof createBucketLists>;

/** Counts the rows of lists in buckets of the field that orders them. The cache is valid until a change affects the counts. */
export function createBucketLists(search: Search, cache: SingleFlight<BucketList>) {
  type Count = Parameters<typeof cache>[2];
  /** The buckets of a list or, with `bucket`, those that divide it: kept ones, or those that are counted now. */
  const kept = async (index: string, list: BucketRequest, bucket: Bucket | undefined, count: Count) => {
    const { generation, filters, order, recent, left } = list;
    const key = JSON.stringify([index, filters, order.field, bucket]);
    return (recent && cache.recent(key)) ?? cache(generation, key, count, left);
  };

  /** The first buckets of a whole list. */
  const whole = (index: string, list: BucketRequest): Promise<BucketList> => {
    const { order, filters } = list;
    const count = async (left: AbortSignal) => {
      const { query } = firstPage(list);
      const strategy = STRATEGIES[order.by];
      const aggs = { buckets: strategy.firstBuckets(order.field) };
      const answer = await search(index, { query, size: 0, track_total_hits: true, aggs }, left);
      const buckets = bucketsOf(strategy, answer.aggregations.buckets!);
      const value = { buckets: allOf(buckets, answer.count), count: answer.count };
      return { value, dependencies: { filters, ids: [], order: order.field } };
    };
    return kept(index, list, undefined, count);
  };

  const narrower = ({ order }: PageRequest, bucket: Bucket) =>
    "from" in bucket ? STRATEGIES[order.by].narrow(order.field, bucket) : "ids";

  /** Whether all rows of a bucket are equal by value, so that only their ids can divide it. */
  const isOfOneValue = (list: PageRequest, bucket: Bucket): boolean => narrower(list, bucket) === "ids";

  /** Divides a bucket into narrower ones; undefined when it can't be divided. */
  const divided = async (index: string, list: BucketRequest, bucket: Bucket): Promise<BucketList | undefined> => {
    const { order, idField, filters } = list;
    const strategy = STRATEGIES[order.by];
    const outer = "from" in bucket ? bucket : undefined;
    const division = narrower(list, bucket);
    if (division === undefined) return undefined;
    const divide = async (left: AbortSignal) => {
      const query = also(firstPage(list).query, within([bucket], list));
      const made = (buckets: Bucket[]) => ({
        value: { buckets, count: bucket.count },
        dependencies: { filters, ids: [], order: order.field },
      });
      const count = async (aggregation: estypes.AggregationsAggregationContainer) => {
        const request = { query, size: 0, track_total_hits: false, aggs: { buckets: aggregation } };
        const answer = await search(index, request, left);
        return answer.aggregations.buckets!;
      };
      if (division !== "ids") return made(bucketsOf(strategy, await count(division), outer));
      const sample = await search<Record<string, string>>(index, sampleIds(query, idField), left);
      const uncounted = idBuckets(
        bucket,
        sample.documents.map((document) => document[idField]!),
      );
      return made(idBucketsOf(uncounted, await count(idBucketsAggregation(uncounted, idField))));
    };
    return kept(index, list, bucket, divide);
  };

  return { whole, divided, isOfOneValue };
}

/** The buckets of all rows: also of those without a value, which no bucket has counted. */
function allOf(buckets: readonly ValueBucket[], count: number): Bucket[] {
  const rest = count - sumOf(buckets);
  return rest > 0 ? [...buckets, { missing: true, count: rest }] : [...buckets];
}

/** The search for the first rows of a list: its query finds all of them. */
const firstPage = (list: PageRequest) => listQuery({ ...list, page: { limit: 0, offset: 0 } });
