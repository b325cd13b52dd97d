import type { Filter } from "@tranche/read-models/query/filters";
import type { Order, Page } from "@tranche/read-models/query/list-query";
import { type Bucket, sumOf } from "./bucket.ts";

/** The matches of a filter are not spread evenly: the bound leaves room for this many times the rows that an even spread needs. */
export const SPARE = 4;

/** The buckets with values that filters on the same field leave; all buckets without such filters. */
export function inBounds(
  buckets: readonly Bucket[],
  { filters, order }: { filters: readonly Filter[]; order: Order },
): readonly Bucket[] {
  const bounds = filters.filter((filter) => "bound" in filter).filter(({ field }) => field === order.field);
  if (bounds.length === 0) return buckets;
  return buckets
    .filter((bucket) => "from" in bucket)
    .filter(({ from, to }) =>
      bounds.every(({ bound, value }) => (bound === "gte" ? to === null || to > value : from <= value)),
    );
}

/**
 * A guess of the value (exclusive) below which all rows of a page of an ascending list are. It assumes that the `count` rows which the
 * filters find are spread evenly among all rows; `all` has the buckets of the list without filters. Undefined when the bound would
 * take in more than half of the rows. The guess can be wrong: when the rows below it do not fill the page, find the page another way.
 */
export function upperBoundOf(
  all: readonly Bucket[],
  { filters, order, page }: { filters: readonly Filter[]; order: Order; page: Page },
  count: number,
): number | string | undefined {
  const buckets = inBounds(all, { filters, order }).filter((bucket) => "from" in bucket);
  const total = sumOf(buckets);
  const wanted = (SPARE * (page.offset + page.limit) * total) / count;
  let reached = 0;
  for (const bucket of buckets) {
    reached += bucket.count;
    if (reached > total / 2) return undefined;
    if (reached >= wanted) return bucket.to ?? undefined;
  }
  return undefined;
}
