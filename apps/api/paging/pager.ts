import { also, listQuery, type Page } from "@tranche/read-models/query/list-query";
import type { SingleFlight } from "../cache/single-flight.ts";
import type { ValidatedCache } from "../cache/validated-cache.ts";
import type { Search, SearchResult } from "../search/search.ts";
import { type Bucket, inOrder, type BucketWindow, bucketWindowOf, within } from "./bucket.ts";
import { type BucketList, createBucketLists } from "./bucket-lists.ts";
import { MAX_SCANNED_EQUALS, MAX_SCANNED_GROUP, MAX_SCANNED_ROWS } from "./buckets.ts";
import { createContinue } from "./continue.ts";
import { createCounts } from "./counts.ts";
import { createGuess } from "./guess.ts";
import { type PageRequest, type PageResult, pageResult, rowsOf } from "./page.ts";

/** Pages up to this offset are scanned from the first row. For further pages, buckets are counted. */
const MAX_SCANNED_OFFSET = 500;

/**
 * With a page, rows are counted up to here. More are counted by a search that asks for no rows: it takes Elasticsearch a third of the time,
 * and the page a fraction.
 */
const MAX_COUNTED_WITH_ROWS = 10_000;

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
  maxCountedWithRows?: number;
  maxScannedRows?: number;
  maxScannedEquals?: number;
  maxScannedGroup?: number;
}): Pager {
  const { search, maxScannedOffset = MAX_SCANNED_OFFSET, maxCountedWithRows = MAX_COUNTED_WITH_ROWS } = parts;
  const { maxScannedRows = MAX_SCANNED_ROWS, maxScannedEquals = MAX_SCANNED_EQUALS } = parts;
  const { maxScannedGroup = MAX_SCANNED_GROUP } = parts;
  const counts = createCounts(search, parts.counts);
  const lists = createBucketLists(search, parts.bucketLists);
  const guess = createGuess({ lists, maxScannedRows, maxScannedGroup });
  const continued = createContinue({ search, counts, guess });

  /**
   * The first rows of one value are searched among all that have it: to divide these by id takes two more searches, for which only deep
   * pages wait.
   */
  const isScanned = (request: PageRequest, bucket: Bucket): boolean =>
    lists.isOfOneValue(request, bucket)
      ? bucket.count <= maxScannedEquals || request.page.offset <= maxScannedOffset
      : bucket.count <= maxScannedRows;

  const narrowed = async (index: string, request: PageRequest, bucket: Bucket): Promise<BucketList | undefined> =>
    isScanned(request, bucket) ? undefined : lists.divided(index, request, bucket);

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
    const counted = known === undefined && maxCountedWithRows;
    const found = await search<T>(index, listQuery({ ...request, counted }), request.left);
    const all = counted && !found.more ? found.count : undefined;
    if (all !== undefined) keep(all);
    const count = all ?? (await counts.counted(index, request));
    if (found.documents.length === rowsOf(request.page, count)) return atOffset(found, request, count);
    // Elasticsearch shows a change that no generation has announced yet: count again, with the rows.
    const again = await search<T>(index, listQuery(request), request.left);
    keep(again.count);
    return atOffset(again, request, again.count);
  };

  /** Searches only up to a guessed end. Undefined when the page reaches beyond it, or when nothing is kept to guess from. */
  const bounded = async <T>(index: string, request: PageRequest) => {
    const { page, generation } = request;
    if (generation === undefined) return undefined;
    const count = await counts.counted(index, request);
    const end = await guess(index, request, { rows: page.offset + page.limit, count });
    // The list is short beside its page.
    if (!end) return scan<T>(index, request);
    const { query, ...rest } = listQuery({ ...request, counted: false });
    const found = await search<T>(index, { ...rest, query: also(query, end.query) }, request.left);
    return found.documents.length >= rowsOf(page, count) ? atOffset(found, request, count) : undefined;
  };

  const seek = async <T>(index: string, request: PageRequest): Promise<PageResult<T>> => {
    const { order, page } = request;
    const { buckets, count } = await lists.whole(index, request);
    const window = await located(index, request, inOrder(buckets, order), page.offset);
    if (!window) return { documents: [], ids: [], count, next: undefined };

    const base = listQuery({ ...request, page: { limit: page.limit, offset: window.skip }, counted: false });
    const query = also(base.query, within(window.buckets, request));
    const found = await search<T>(index, { ...base, query }, request.left);
    const fits = found.documents.length === rowsOf(page, count);
    // As in a scan. Without a generation the buckets are counted again.
    return fits || request.generation === undefined
      ? atOffset(found, request, count)
      : seek<T>(index, { ...request, generation: undefined });
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
