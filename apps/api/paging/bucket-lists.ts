import type { estypes } from "@elastic/elasticsearch";
import { type AllOf, listQuery } from "@tranche/read-models/query/list-query";
import { ChangeLog } from "../cache/change-log.ts";
import type { SingleFlight } from "../cache/single-flight.ts";
import type { Search } from "../search/search.ts";
import { type Bucket, sumOf, type ValueBucket, within } from "./bucket.ts";
import { bucketsOf, STRATEGIES } from "./buckets.ts";
import { idBuckets, idBucketsAggregation, idBucketsOf, sampleIds } from "./id-buckets.ts";
import type { PageRequest } from "./page.ts";

/** The buckets of a list, or those that divide one bucket: values ascending, then ids, rows without a value last. */
export type BucketList = { buckets: Bucket[]; count: number };

/** The generation of buckets that may be old, because they only make a guess. */
const GUESSED = new ChangeLog().add("guessed", undefined);

/** A request for the buckets of the whole list, without the caller's filters. They may be old: they only make a guess. */
export const guessFrom = (request: PageRequest): PageRequest => ({
  ...request,
  filters: request.filters.filter((filter) => "is" in filter),
  generation: GUESSED,
});

export type BucketLists = ReturnType<typeof createBucketLists>;

/** Counts the rows of lists in buckets of the field that orders them. The cache is valid until a change affects the counts. */
export function createBucketLists(search: Search, cache: SingleFlight<BucketList>) {
  /** The first buckets of a whole list. */
  const whole = (index: string, list: PageRequest): Promise<BucketList> => {
    const { order, generation, filters } = list;
    const count = async (left: AbortSignal) => {
      const { query } = firstPage(list);
      const strategy = STRATEGIES[order.by];
      const aggs = { buckets: strategy.firstBuckets(order.field) };
      const answer = await search(index, { query, size: 0, track_total_hits: true, aggs }, left);
      const buckets = bucketsOf(strategy, answer.aggregations.buckets!);
      const value = { buckets: allOf(buckets, answer.count), count: answer.count };
      return { value, dependencies: { filters, ids: [], order: order.field } };
    };
    return cache(generation, JSON.stringify([index, filters, order.field]), count, list.left);
  };

  const narrower = ({ order }: PageRequest, bucket: Bucket) =>
    "from" in bucket ? STRATEGIES[order.by].narrow(order.field, bucket) : "ids";

  /** Whether all rows of a bucket are equal by value, so that only their ids can divide it. */
  const isOfOneValue = (list: PageRequest, bucket: Bucket): boolean => narrower(list, bucket) === "ids";

  /** Divides a bucket into narrower ones; undefined when it can't be divided. */
  const divided = async (index: string, list: PageRequest, bucket: Bucket): Promise<BucketList | undefined> => {
    const { order, idField, generation, filters } = list;
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
    return cache(generation, JSON.stringify([index, filters, order.field, bucket]), divide, list.left);
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

/** A query with one more condition. */
export function also(query: AllOf, clause: estypes.QueryDslQueryContainer): AllOf {
  return { bool: { filter: [...query.bool.filter, clause] } };
}
