import { listQuery, type Page } from "@tranche/read-models/query/list-query";
import type { SingleFlight } from "../cache/single-flight.ts";
import type { ValidatedCache } from "../cache/validated-cache.ts";
import type { Search, SearchResult } from "../search/search.ts";
import { type Bucket, inOrder, type BucketWindow, bucketWindowOf, range, within } from "./bucket.ts";
import { also, type BucketList, createBucketLists, guessFrom } from "./bucket-lists.ts";
import { MAX_SCANNED_GROUP, MAX_SCANNED_ROWS } from "./buckets.ts";
import { createContinue } from "./continue.ts";
import { createCounts } from "./counts.ts";
import { type PageRequest, type PageResult, pageResult, rowsOf } from "./page.ts";
import { upperBoundOf } from "./upper-bound.ts";

/** Pages up to this offset are scanned from the first row. For further pages, buckets are counted. */
const MAX_SCANNED_OFFSET = 500;

/** Whether a page may take several searches of the whole list. */
export const isDeep = ({ offset, after }: Page): boolean => !after && offset > MAX_SCANNED_OFFSET;

/** One page of a list and the exact count of all its rows. */
export type Pager = <T>(index: string, request: PageRequest) => Promise<PageResult<T>>;

/**
 * Caches: `counts` has the number of rows per set of filters, `bucketLists` the counted buckets; both are valid until a change
 * affects them. Tests set the other numbers so low that every row is found by buckets.
 */
export function createPager(parts: {
  search: Search;
  counts: ValidatedCache<number>;
  bucketLists: SingleFlight<BucketList>;
  maxScannedOffset?: number;
  maxScannedRows?: number;
  maxScannedGroup?: number;
}): Pager {
  const { search, maxScannedOffset = MAX_SCANNED_OFFSET } = parts;
  const { maxScannedRows = MAX_SCANNED_ROWS, maxScannedGroup = MAX_SCANNED_GROUP } = parts;
  const counts = createCounts(search, parts.counts);
  const lists = createBucketLists(search, parts.bucketLists);
  const continued = createContinue({ search, counts, lists, maxScannedRows, maxScannedGroup });

  const narrowed = async (index: string, request: PageRequest, bucket: Bucket): Promise<BucketList | undefined> =>
    bucket.count <= maxScannedRows ? undefined : lists.divided(index, request, bucket);

  /** Locates the row at `offset` in the narrowest buckets; undefined when the list is shorter. */
  const located = async (
    index: string,
    request: PageRequest,
    buckets: readonly Bucket[],
    offset: number,
  ): Promise<BucketWindow | undefined> => {
    const window = bucketWindowOf(buckets, offset, request.page.limit);
    const narrower = window && (await narrowed(index, request, window.buckets[0]!));
    const inside = narrower && (await located(index, request, inOrder(narrower.buckets, request.order), window.skip));
    if (!inside || inside.full) return inside ?? window;
    // The narrower buckets do not fill the page: it continues in the buckets after the divided one.
    return { ...inside, buckets: [...inside.buckets, ...window.buckets.slice(1)], full: window.full };
  };

  const scan = async <T>(index: string, request: PageRequest) => {
    const { known, keep } = counts.of(index, request);
    if (known !== undefined) {
      const found = await search<T>(index, listQuery({ ...request, counted: false }), request.left);
      if (found.documents.length === rowsOf(request.page, known)) return atOffset(found, request, known);
      // Elasticsearch already shows a change that no generation has announced yet: count again.
    }
    const found = await search<T>(index, listQuery(request), request.left);
    keep(found.count);
    return atOffset(found, request, found.count);
  };

  /**
   * Searches only up to a guessed upper bound. A page that it returns is exact; undefined when the page reaches beyond the bound, or
   * when no bound can be guessed.
   */
  const bounded = async <T>(index: string, request: PageRequest) => {
    const { order, page, generation } = request;
    if (generation === undefined) return undefined;
    const count = await counts.counted(index, request);
    if (count <= maxScannedRows) return scan<T>(index, request);
    // A guess may use old counts.
    const all = await lists.whole(index, guessFrom(request));
    const end = upperBoundOf(all.buckets, request, count);
    if (end === undefined) return undefined;
    const { query, ...rest } = listQuery({ ...request, counted: false });
    const upToEnd = { ...rest, query: also(query, range(order.field, null, end)) };
    const found = await search<T>(index, upToEnd, request.left);
    return found.documents.length >= rowsOf(page, count) ? atOffset(found, request, count) : undefined;
  };

  const seek = async <T>(index: string, request: PageRequest) => {
    const { order, page } = request;
    const { buckets, count } = await lists.whole(index, request);
    const window = await located(index, request, inOrder(buckets, order), page.offset);
    if (!window) return { documents: [], ids: [], count, next: undefined };

    const base = listQuery({ ...request, page: { limit: page.limit, offset: window.skip }, counted: false });
    const query = also(base.query, within(window.buckets, request));
    const found = await search<T>(index, { ...base, query }, request.left);
    return atOffset(found, request, count);
  };

  return async <T>(index: string, request: PageRequest) => {
    const { order, page } = request;
    if (page.after) return continued<T>(index, request, page.after);
    if (page.offset > maxScannedOffset) return seek<T>(index, request);
    if (!order.against) return scan<T>(index, request);
    return (await bounded<T>(index, request)) ?? seek<T>(index, request);
  };
}

const atOffset = <T>(found: SearchResult<T>, request: PageRequest, count: number): PageResult<T> =>
  pageResult(found, request, count, request.page.offset + request.page.limit < count);
