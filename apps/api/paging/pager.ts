import type { estypes } from "@elastic/elasticsearch";
import { type Generation, ChangeLog } from "../cache/change-log.ts";
import type { ValidatedCache } from "../cache/validated-cache.ts";
import type { SingleFlight } from "../cache/single-flight.ts";
import { sampleIds, idBuckets, idBucketsAggregation, idBucketsOf } from "./id-buckets.ts";
import { bucketsOf, MAX_SCANNED_ROWS, STRATEGIES } from "./buckets.ts";
import { type AllOf, listQuery, type ListSearch, type Page } from "@tranche/read-models/query/list-query";
import { upperBoundOf } from "./upper-bound.ts";
import { inOrder, type Place, placeOf, range, type Bucket, sumOf, within } from "./bucket.ts";
import type { Search, SearchResult } from "../search/search.ts";

/** Pages up to this offset are scanned from the first row. For further pages, buckets are counted. */
const MAX_SCANNED_OFFSET = 500;
/** The generation of counts that may be old, because they only make a guess. */
const GUESSED = new ChangeLog().add("guessed", undefined);

export type PageRequest = ListSearch & { generation: Generation | undefined };

/** One page of a list and the exact count of all its rows. */
export type Pager = <T>(index: string, request: PageRequest) => Promise<PageResult<T>>;
/** `ids`: of the documents. */
export type PageResult<T> = { documents: T[]; ids: string[]; count: number };

/** The buckets of a list, or those that divide one bucket: values ascending, then ids, rows without a value last. */
export type BucketList = { buckets: Bucket[]; count: number };

/**
 * Caches: `counts` has the number of rows per set of filters, `bucketLists` the counted buckets; both are valid until a change
 * affects them. Tests set `maxScannedOffset` and `maxScannedRows` so low that every row is found by buckets.
 */
export function createPager(parts: {
  search: Search;
  counts: ValidatedCache<number>;
  bucketLists: SingleFlight<BucketList>;
  maxScannedOffset?: number;
  maxScannedRows?: number;
}): Pager {
  const {
    search,
    counts,
    bucketLists,
    maxScannedOffset = MAX_SCANNED_OFFSET,
    maxScannedRows = MAX_SCANNED_ROWS,
  } = parts;

  const listBuckets = (index: string, request: PageRequest): Promise<BucketList> => {
    const { order, generation, filters } = request;
    return bucketLists(generation, JSON.stringify([index, filters, order.field]), async () => {
      const { query } = listQuery(request);
      const strategy = STRATEGIES[order.by];
      const aggs = { buckets: strategy.firstBuckets(order.field) };
      const answer = await search(index, { query, size: 0, track_total_hits: true, aggs });
      const buckets = bucketsOf(strategy, answer.aggregations.buckets!);
      const missing = answer.count - sumOf(buckets);
      const all: Bucket[] = missing > 0 ? [...buckets, { missing: true, count: missing }] : buckets;
      return { value: { buckets: all, count: answer.count }, dependencies: { filters, ids: [], order: order.field } };
    });
  };

  /** Divides a bucket into narrower ones; undefined when it is small enough to scan or can't be divided. */
  const narrowed = async (index: string, request: PageRequest, bucket: Bucket): Promise<BucketList | undefined> => {
    const { order, idField, generation, filters } = request;
    if (bucket.count <= maxScannedRows) return undefined;
    const strategy = STRATEGIES[order.by];
    const outer = "from" in bucket ? bucket : undefined;
    const narrower = outer ? strategy.narrow(order.field, outer) : "ids";
    if (narrower === undefined) return undefined;
    return bucketLists(generation, JSON.stringify([index, filters, order.field, bucket]), async () => {
      const query = also(listQuery(request).query, within([bucket], request));
      const made = (buckets: Bucket[]) => ({
        value: { buckets, count: bucket.count },
        dependencies: { filters, ids: [], order: order.field },
      });
      const count = async (aggregation: estypes.AggregationsAggregationContainer) => {
        const answer = await search(index, { query, size: 0, track_total_hits: false, aggs: { buckets: aggregation } });
        return answer.aggregations.buckets!;
      };
      if (narrower !== "ids") return made(bucketsOf(strategy, await count(narrower), outer));
      const sample = await search<Record<string, string>>(index, sampleIds(query, idField));
      const uncounted = idBuckets(
        bucket,
        sample.documents.map((document) => document[idField]!),
      );
      return made(idBucketsOf(uncounted, await count(idBucketsAggregation(uncounted, idField))));
    });
  };

  /** Locates the row at `offset` in the narrowest buckets; undefined when the list is shorter. */
  const located = async (
    index: string,
    request: PageRequest,
    buckets: readonly Bucket[],
    offset: number,
  ): Promise<Place | undefined> => {
    const place = placeOf(buckets, offset, request.page.limit);
    const narrower = place && (await narrowed(index, request, place.buckets[0]!));
    const inside = narrower && (await located(index, request, inOrder(narrower.buckets, request.order), place.skip));
    if (!inside || inside.full) return inside ?? place;
    // The narrower buckets do not fill the page: it continues in the buckets after the divided one.
    return { ...inside, buckets: [...inside.buckets, ...place.buckets.slice(1)], full: place.full };
  };

  /** The count of all rows of a list, if it is cached, and a function that caches it. */
  const countOf = (index: string, { generation, filters }: PageRequest) => {
    const key = JSON.stringify([index, filters]);
    return {
      known: counts.get(generation, key),
      keep: (count: number) => counts.set(generation, key, count, { filters, ids: [] }),
    };
  };

  const scan = async <T>(index: string, request: PageRequest) => {
    const { known, keep } = countOf(index, request);
    if (known !== undefined) {
      const found = await search<T>(index, listQuery({ ...request, counted: false }));
      if (found.documents.length === rowsOf(request.page, known)) return pageResult(found, known);
      // Elasticsearch already shows a change that no generation has announced yet: count again.
    }
    const found = await search<T>(index, listQuery(request));
    keep(found.count);
    return pageResult(found, found.count);
  };

  /**
   * Searches only up to a guessed upper bound. A page that it returns is exact; undefined when the page reaches beyond the bound, or
   * when no bound can be guessed.
   */
  const bounded = async <T>(index: string, request: PageRequest) => {
    const { order, page, generation } = request;
    if (generation === undefined) return undefined;
    const { query, ...rest } = listQuery({ ...request, counted: false });
    const { known, keep } = countOf(index, request);
    const count = known ?? (await search(index, { query, size: 0, track_total_hits: true })).count;
    if (known === undefined) keep(count);
    if (count <= maxScannedRows) return scan<T>(index, request);
    // A guess may use old counts.
    const all = await listBuckets(index, { ...request, filters: [], generation: GUESSED });
    const end = upperBoundOf(all.buckets, request, count);
    if (end === undefined) return undefined;
    const found = await search<T>(index, { ...rest, query: also(query, range(order.field, null, end)) });
    return found.documents.length >= rowsOf(page, count) ? pageResult(found, count) : undefined;
  };

  const seek = async <T>(index: string, request: PageRequest) => {
    const { order, page } = request;
    const { buckets, count } = await listBuckets(index, request);
    const place = await located(index, request, inOrder(buckets, order), page.offset);
    if (!place) return { documents: [], ids: [], count };

    const base = listQuery({ ...request, page: { limit: page.limit, offset: place.skip }, counted: false });
    const found = await search<T>(index, {
      ...base,
      query: also(base.query, within(place.buckets, request)),
    });
    return pageResult(found, count);
  };

  return async <T>(index: string, request: PageRequest) => {
    const { order, page } = request;
    if (page.offset > maxScannedOffset) return seek<T>(index, request);
    if (!order.against) return scan<T>(index, request);
    return (await bounded<T>(index, request)) ?? seek<T>(index, request);
  };
}

/** How many rows a page of a list of `count` rows has. */
const rowsOf = ({ limit, offset }: Page, count: number): number => Math.max(0, Math.min(limit, count - offset));

const pageResult = <T>({ documents, ids }: SearchResult<T>, count: number): PageResult<T> => ({
  documents,
  ids,
  count,
});

function also(query: AllOf, clause: estypes.QueryDslQueryContainer): AllOf {
  return { bool: { filter: [...query.bool.filter, clause] } };
}
