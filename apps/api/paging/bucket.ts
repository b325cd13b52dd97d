import type { estypes } from "@elastic/elasticsearch";
import type { Order } from "@tranche/read-models/query/list-query";

/** Rows whose value is from `from` (inclusive) to `to` (exclusive; null: no end). */
export type ValueBucket = { from: number | string; to: number | string | null; count: number };
/** Rows without a value. */
export type MissingBucket = { missing: true; count: number };
/** Rows of `group` whose id is from `ids.from` (inclusive; null: the first) to `ids.to` (exclusive; null: no end). */
export type IdBucket = {
  group: ValueBucket | MissingBucket;
  ids: { from: string | null; to: string | null };
  count: number;
};
/** Consecutive rows of a list, and how many there are. */
export type Bucket = ValueBucket | MissingBucket | IdBucket;

export const sumOf = (buckets: readonly Bucket[]): number => buckets.reduce((sum, bucket) => sum + bucket.count, 0);

/** The buckets that contain a page. It begins after the first `skip` rows of `buckets`. `full`: the buckets contain the whole page. */
export type BucketWindow = { buckets: readonly Bucket[]; skip: number; full: boolean };

/** The buckets that contain a page, from buckets in the order of the list; undefined when the page begins after the last row. */
export function bucketWindowOf(buckets: readonly Bucket[], offset: number, limit: number): BucketWindow | undefined {
  let before = 0;
  for (let i = 0; i < buckets.length; i++) {
    if (offset < before + buckets[i]!.count) {
      let reached = before;
      let end = i;
      while (end < buckets.length && reached < offset + limit) reached += buckets[end++]!.count;
      return { buckets: buckets.slice(i, end), skip: offset - before, full: reached >= offset + limit };
    }
    before += buckets[i]!.count;
  }
  return undefined;
}

/** Ascending buckets in the order of a list. A descending list reverses values only: ids ascend, and rows without a value come last. */
export function inOrder(buckets: readonly Bucket[], { direction }: Order): readonly Bucket[] {
  if (direction === "asc") return buckets;
  const values = buckets.filter((bucket) => "from" in bucket);
  return [...values.toReversed(), ...buckets.filter((bucket) => !("from" in bucket))];
}

/** The condition that a row is in one of these buckets, which are consecutive in the list. */
export function within(
  buckets: readonly Bucket[],
  { order, idField }: { order: Order; idField: string },
): estypes.QueryDslQueryContainer {
  const any: estypes.QueryDslQueryContainer[] = [];
  const values = buckets.filter((bucket) => "from" in bucket);
  if (values.length > 0) {
    const [low, high] = order.direction === "asc" ? [values[0]!, values.at(-1)!] : [values.at(-1)!, values[0]!];
    any.push(range(order.field, low.from, high.to));
  }
  const ofIds = buckets.filter((bucket) => "ids" in bucket);
  if (ofIds.length > 0) {
    const [first, last] = [ofIds[0]!, ofIds.at(-1)!];
    const group = within([first.group], { order, idField });
    any.push({ bool: { filter: [group, range(idField, first.ids.from, last.ids.to)] } });
  }
  if (buckets.some((bucket) => "missing" in bucket))
    any.push({ bool: { must_not: { exists: { field: order.field } } } });
  return any.length === 1 ? any[0]! : { bool: { should: any, minimum_should_match: 1 } };
}

/** From `from` (inclusive) to `to` (exclusive); null: no bound. */
export function range(field: string, from: number | string | null, to: number | string | null) {
  const bounds = { ...(from === null ? {} : { gte: from }), ...(to === null ? {} : { lt: to }) };
  return { range: { [field]: bounds as estypes.QueryDslUntypedRangeQuery } };
}
