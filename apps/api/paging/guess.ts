import type { Filter } from "@tranche/read-models/query/filters";
import type { Order } from "@tranche/read-models/query/order";
import type { RowPosition } from "@tranche/read-models/query/row-position";
import { type Bucket, sumOf } from "./bucket.ts";
import { type BucketLists, guessFrom } from "./bucket-lists.ts";
import { bucketsFrom, type EndCondition, sideOf, upTo } from "./end-after.ts";
import type { PageRequest } from "./page.ts";

/** The matches of a filter are not spread evenly: the end leaves room for this many times the rows that an even spread needs. */
const SPARE = 4;

/** What is wanted: so many rows of a list of `count`, after a position, or from the first row on. */
type Wanted = { rows: number; count: number; after?: RowPosition };

/** The condition that a row is before the guessed end of a page; undefined without a guess. */
export type Guess = (index: string, request: PageRequest, wanted: Wanted) => Promise<EndCondition | undefined>;

/**
 * Guesses how far in a list a page reaches, from the buckets of the list without the caller's filters: the matches are assumed to be
 * spread evenly among all rows. A search that ends there is exact when its rows fill the page, however wrong the guess was. Otherwise find
 * the page another way.
 */
export function createGuess(parts: { lists: BucketLists; maxScannedRows: number; maxScannedGroup: number }): Guess {
  const { lists, maxScannedRows, maxScannedGroup } = parts;
  /** The bucket at whose end the search may stop; undefined for the end of the list. */
  const endOf = async (
    index: string,
    request: PageRequest,
    buckets: readonly Bucket[],
    after: RowPosition | undefined,
    { rows, perMatch }: { rows: number; perMatch: number },
  ): Promise<{ end?: Bucket; reached: number }> => {
    let reached = 0;
    for (const bucket of bucketsFrom(inBounds(buckets, request), after, request.order)) {
      const side = sideOf(bucket, after, request.order);
      const narrower =
        bucket.count > perMatch * mostOf(request, bucket, side)
          ? await lists.divided(index, guessFrom(request), bucket)
          : undefined;
      if (narrower) {
        const inside = await endOf(index, request, narrower.buckets, after, { rows: rows - reached, perMatch });
        reached += inside.reached;
        if (inside.end) return { end: inside.end, reached };
      } else if (side === "after") {
        // Nobody knows how many rows of a bucket around the position are after it.
        reached += bucket.count;
      }
      if (reached >= rows) return { end: bucket, reached };
    }
    return { reached };
  };
  const mostOf = (request: PageRequest, bucket: Bucket, side: ReturnType<typeof sideOf>): number => {
    if (!lists.isOfOneValue(request, bucket)) return maxScannedRows;
    // An end among the ids of one value is of use only to rows that have it.
    return side === "around" ? maxScannedGroup : Infinity;
  };

  return async (index, request, { rows, count, after }) => {
    if (request.generation === undefined || count <= maxScannedRows) return undefined;
    const all = await lists.whole(index, guessFrom(request));
    const inside = inBounds(all.buckets, request);
    const total = inside === all.buckets ? all.count : sumOf(inside);
    const perMatch = Math.max(1, total / count);
    const reach = SPARE * rows * perMatch;
    if (reach > total / 2) return undefined;
    const { end } = await endOf(index, request, all.buckets, after, { rows: reach, perMatch });
    return end && upTo(end, after, request);
  };
}

/** The buckets that filters on the same field leave; all buckets without such filters. */
function inBounds(
  buckets: readonly Bucket[],
  { filters, order }: { filters: readonly Filter[]; order: Order },
): readonly Bucket[] {
  const bounds = filters.filter((filter) => "bound" in filter).filter(({ field }) => field === order.field);
  if (bounds.length === 0) return buckets;
  return buckets.filter((bucket) => {
    if (!("from" in bucket)) return "ids" in bucket;
    const { from, to } = bucket;
    return bounds.every(({ bound, value }) => (bound === "gte" ? to === null || to > value : from <= value));
  });
}
