import type { Filter } from "@tranche/read-models/query/filters";
import type { Order, Page } from "@tranche/read-models/query/list-query";
import { type Bucket, sumOf } from "./bucket.ts";

/** Filters do not find equally many rows everywhere: so many times more are looked through than it would take then. */
const SPARE = 4;

/**
 * Before which value the first rows of an ascending list most likely end: where they would if the filters, which find `count` rows,
 * found them evenly among `all` rows, told by buckets. Undefined where that is most of the way to the end of the list. A guess that
 * is as good as what it is made of; a page that it does not fill has to be found otherwise.
 */
export function upperBoundOf(
  all: readonly Bucket[],
  { filters, order, page }: { filters: readonly Filter[]; order: Order; page: Page },
  count: number,
): number | string | undefined {
  const bounds = filters.filter((filter) => "bound" in filter).filter(({ field }) => field === order.field);
  const buckets = all
    .filter((bucket) => "from" in bucket)
    .filter(({ from, to }) =>
      bounds.every(({ bound, value }) => (bound === "gte" ? to === null || to > value : from <= value)),
    );
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
