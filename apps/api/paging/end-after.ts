import type { estypes } from "@elastic/elasticsearch";
import type { Order } from "@tranche/read-models/query/order";
import type { RowPosition } from "@tranche/read-models/query/row-position";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import type { Bucket, ValueBucket } from "./bucket.ts";

type Value = number | string;

/** Values of one field: both numbers, or both texts. */
const compare = (a: Value, b: Value): number =>
  typeof a === "number" && typeof b === "number" ? a - b : byCodePoint(String(a), String(b));

const isBelow = ({ to }: ValueBucket, value: Value): boolean => to !== null && compare(to, value) <= 0;
const isAbove = ({ from }: ValueBucket, value: Value): boolean => compare(from, value) > 0;

/** Where the rows of a bucket are in a list: all before the position, around it, or all after it. Undefined is before the first row. */
export function sideOf(bucket: Bucket, position: RowPosition | undefined, order: Order): "before" | "around" | "after" {
  if (position === undefined) return "after";
  if ("ids" in bucket) {
    const side = sideOf(bucket.group, position, order);
    if (side !== "around") return side;
    const { from, to } = bucket.ids;
    if (to !== null && byCodePoint(to, position.id) <= 0) return "before";
    return from !== null && byCodePoint(from, position.id) > 0 ? "after" : "around";
  }
  const { value } = position;
  if ("missing" in bucket) return value === null ? "around" : "after";
  if (value === null) return "before";
  const [before, after] = order.direction === "asc" ? [isBelow, isAbove] : [isAbove, isBelow];
  if (before(bucket, value)) return "before";
  return after(bucket, value) ? "after" : "around";
}

/**
 * The buckets of a list from the one that is around the position. Buckets are ascending; a list has tens of thousands of them at most,
 * so they are neither copied nor visited one by one.
 */
export function* bucketsFrom(
  buckets: readonly Bucket[],
  position: RowPosition | undefined,
  order: Order,
): Generator<Bucket> {
  const isValue = (bucket: Bucket | undefined) => bucket !== undefined && "from" in bucket;
  // Only the last bucket can be of another kind than the first.
  const values = isValue(buckets[0]) ? buckets.length - (isValue(buckets.at(-1)) ? 0 : 1) : 0;
  const at = (i: number) => buckets[order.direction === "desc" && i < values ? values - 1 - i : i]!;
  let [low, high] = [0, buckets.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sideOf(at(middle), position, order) === "before") low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < buckets.length; i++) yield at(i);
}

/** A condition on rows of a list. `afterPosition`: it leaves out the position and all rows before it. */
export type EndCondition = { query: estypes.QueryDslQueryContainer; afterPosition: boolean };

/**
 * The condition that a row is at most as far in the list as the end of a bucket, for rows after the position; undefined
 * when the bucket ends the list. It holds for every row between the two, also for those that no bucket has counted.
 */
export function upTo(
  end: Bucket,
  position: RowPosition | undefined,
  { order, idField }: { order: Order; idField: string },
): EndCondition | undefined {
  if ("missing" in end) return undefined;
  const { field, direction } = order;
  if ("ids" in end) {
    // The ids of another group begin anew.
    if (position === undefined || end.ids.to === null || sideOf(end.group, position, order) !== "around")
      return upTo(end.group, position, { order, idField });
    const { value, id } = position;
    const ids = { range: { [idField]: { gt: id, lt: end.ids.to } } };
    // Rows of other values in the group are after all of these.
    const query = value === null ? ids : { bool: { filter: [between(field, { gte: value, lte: value }), ids] } };
    return { query, afterPosition: true };
  }
  if (position?.value === null) return undefined;
  const bounds = {
    ...(position && (direction === "desc" ? { lte: position.value } : { gte: position.value })),
    ...(direction === "desc" ? { gte: end.from } : end.to !== null && { lt: end.to }),
  };
  if (Object.keys(bounds).length === 0) return undefined;
  return { query: between(field, bounds), afterPosition: false };
}

function between(field: string, bounds: Partial<Record<"gte" | "lte" | "lt", Value>>): estypes.QueryDslQueryContainer {
  return { range: { [field]: bounds as estypes.QueryDslUntypedRangeQuery } };
}
