import type { estypes } from "@elastic/elasticsearch";
import type { Order } from "@tranche/read-models/query/order";
import type { Position } from "@tranche/read-models/query/position";
import { byCodePoint } from "@tranche/shared/text/order";
import { type Bucket, range, type ValueBucket, within } from "./bucket.ts";

type Value = number | string;

/** Values of one field: both numbers, or both texts. */
const compare = (a: Value, b: Value): number =>
  typeof a === "number" && typeof b === "number" ? a - b : byCodePoint(String(a), String(b));

const isBelow = ({ to }: ValueBucket, value: Value): boolean => to !== null && compare(to, value) <= 0;
const isAbove = ({ from }: ValueBucket, value: Value): boolean => compare(from, value) > 0;

/** Where the rows of a bucket are in a list: all before the position, around it, or all after it. */
export function sideOf(bucket: Bucket, position: Position, order: Order): "before" | "around" | "after" {
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
 * so they are neither copied nor looked at one by one.
 */
export function* bucketsFrom(buckets: readonly Bucket[], position: Position, order: Order): Generator<Bucket> {
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

/**
 * The condition that a row is at most as far in the list as the end of a bucket, for rows after the position; undefined when that is
 * no condition. It holds for every row between the two, also for those that no bucket has counted.
 */
export function upTo(
  end: Bucket,
  position: Position,
  { order, idField }: { order: Order; idField: string },
): estypes.QueryDslQueryContainer | undefined {
  if ("missing" in end) return undefined;
  const { value } = position;
  if ("from" in end) {
    if (value === null) return undefined;
    return order.direction === "asc" ? range(order.field, value, end.to) : downTo(order.field, value, end.from);
  }
  const { group, ids } = end;
  if (ids.to === null) return upTo(group, position, { order, idField });
  const inGroup = within([group], { order, idField });
  if (sideOf(group, position, order) === "around") {
    return { bool: { filter: [inGroup, range(idField, position.id, ids.to)] } };
  }
  const before = value === null ? [] : [beforeGroup(order, value, group)];
  const inside = { bool: { filter: [inGroup, range(idField, null, ids.to)] } };
  return { bool: { should: [...before, inside], minimum_should_match: 1 } };
}

/** The condition that a row has a value from `value` to where the group begins. */
function beforeGroup({ field, direction }: Order, value: Value, group: Exclude<Bucket, { ids: unknown }>) {
  if (direction === "asc") return range(field, value, "from" in group ? group.from : null);
  return downTo(field, value, "from" in group ? group.to : null);
}

/** From `value` down to `to`, both inclusive; null: no bound. */
function downTo(field: string, value: Value, to: Value | null): estypes.QueryDslQueryContainer {
  const bounds = { lte: value, ...(to === null ? {} : { gte: to }) };
  return { range: { [field]: bounds as estypes.QueryDslUntypedRangeQuery } };
}
