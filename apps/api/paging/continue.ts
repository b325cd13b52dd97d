import type { estypes } from "@elastic/elasticsearch";
import { listQuery } from "@tranche/read-models/query/list-query";
import type { RowPosition } from "@tranche/read-models/query/row-position";
import type { Search } from "../search/search.ts";
import { type Bucket, sumOf } from "./bucket.ts";
import { also, type BucketLists, guessFrom } from "./bucket-lists.ts";
import type { Counts } from "./counts.ts";
import { bucketsFrom, sideOf, type EndCondition, upTo } from "./end-after.ts";
import { type PageRequest, type PageResult, pageResult } from "./page.ts";
import { inBounds, SPARE } from "./upper-bound.ts";

type Parts = { search: Search; counts: Counts; lists: BucketLists; maxScannedRows: number; maxScannedGroup: number };

/**
 * Pages right after a row. A search after a position costs as much as there are rows that are equal by value, or that are in the way
 * of the order. So it gets an end: a guess from the buckets of the list without filters, beyond which no row of the page should be.
 * When the rows before the end fill the page, the page is exact, however wrong the guess was. Otherwise the search is made without it.
 */
export function createContinue({ search, counts, lists, maxScannedRows, maxScannedGroup }: Parts) {
  /** The bucket at whose end the search may stop; undefined for the end of the list. */
  const endOf = async (
    index: string,
    request: PageRequest,
    buckets: readonly Bucket[],
    after: RowPosition,
    { rows, perMatch }: { rows: number; perMatch: number },
  ): Promise<{ end?: Bucket; reached: number }> => {
    let reached = 0;
    for (const bucket of bucketsFrom(buckets, after, request.order)) {
      const most = perMatch * (lists.isOfOneValue(request, bucket) ? maxScannedGroup : maxScannedRows);
      const narrower = bucket.count > most ? await lists.divided(index, request, bucket) : undefined;
      if (narrower) {
        const inside = await endOf(index, request, narrower.buckets, after, { rows: rows - reached, perMatch });
        reached += inside.reached;
        if (inside.end) return { end: inside.end, reached };
      } else if (sideOf(bucket, after, request.order) === "after") {
        // Nobody knows how many rows of a bucket around the position are after it.
        reached += bucket.count;
      }
      if (reached >= rows) return { end: bucket, reached };
    }
    return { reached };
  };

  /** The condition that a row is before the guessed end of the page; undefined without a guess. */
  const guessed = async (index: string, request: PageRequest, after: RowPosition, count: number) => {
    if (request.generation === undefined || count <= maxScannedRows) return undefined;
    const guess = guessFrom(request);
    const all = await lists.whole(index, guess);
    const inside = inBounds(all.buckets, request);
    const total = inside === all.buckets ? all.count : sumOf(inside);
    // The matches are assumed to be spread evenly among all rows.
    const perMatch = Math.max(1, total / count);
    const rows = SPARE * request.page.limit * perMatch;
    if (rows > total / 2) return undefined;
    const { end } = await endOf(index, guess, all.buckets, after, { rows, perMatch });
    return end && upTo(end, after, request);
  };

  /** Cursors cut long values. Returns the position with the full value, or the cut one if the row is gone. */
  const whole = async (
    index: string,
    { order, idField, left }: PageRequest,
    position: RowPosition,
  ): Promise<RowPosition> => {
    const { value, id, cut } = position;
    if (!cut) return position;
    const request = { query: { term: { [idField]: id } }, size: 1, track_total_hits: false, _source: [order.field] };
    const [row] = (await search<Record<string, unknown>>(index, request, left)).documents;
    const now = row?.[order.field];
    return { value: typeof now === "string" && now.startsWith(String(value)) ? now : value, id };
  };

  return async <T>(index: string, asked: PageRequest, position: RowPosition): Promise<PageResult<T>> => {
    const [count, after] = await Promise.all([counts.counted(index, asked), whole(index, asked, position)]);
    const {
      left,
      page: { limit },
    } = asked;
    // One row more shows whether rows follow.
    const request = { ...asked, page: { limit: limit + 1, offset: 0, after }, counted: false };
    const isFull = ({ documents }: { documents: T[] }) => documents.length > limit;
    const { query, ...rest } = listQuery(request);

    const end = await guessed(index, request, after, count);
    const near = end && (await search<T>(index, { ...begin(rest, end), query: also(query, end.query) }, left));
    const found = near && isFull(near) ? near : await search<T>(index, { ...rest, query }, left);
    const page = {
      documents: found.documents.slice(0, limit),
      ids: found.ids.slice(0, limit),
      sorted: found.sorted.slice(0, limit),
    };
    return pageResult(page, request, count, isFull(found));
  };
}

/** A search of the rows before an end. By the id, `search_after` costs more than a condition. */
function begin(
  { search_after, ...rest }: estypes.SearchRequest,
  { afterPosition }: EndCondition,
): estypes.SearchRequest {
  return afterPosition || search_after === undefined ? rest : { ...rest, search_after };
}
