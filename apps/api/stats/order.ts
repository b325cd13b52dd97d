import { byCodePoint } from "@tranche/shared/domain/text/order";
import type { Dimension } from "@tranche/read-models/parameters/dimensions";
import type { GroupSort } from "@tranche/read-models/parameters/stats";
import type { GroupKey } from "@tranche/read-models/query/groups";
import type { Group } from "./group.ts";

type Compare = (a: Group<unknown>, b: Group<unknown>) => number;

/** The order of groups. Ties are ordered by key, missing values last. */
export function orderOf(sort: GroupSort, dimensions: readonly Dimension[]): Compare {
  const byKey = keyOrder(dimensions);
  const by: Record<GroupSort, Compare> = {
    count_desc: (a, b) => b.count - a.count,
    total_amount_desc: (a, b) => descending(sumOf(a), sumOf(b)),
    key_asc: () => 0,
  };
  return (a, b) => by[sort](a, b) || byKey(a.key, b.key);
}

// A difference would make a number for each comparison, which takes ten times as long.
const descending = (a: bigint, b: bigint): number => (a < b ? 1 : a > b ? -1 : 0);

/** A sum of no amounts is missing, which is less than a sum of 0. */
const sumOf = ({ disclosed, cents }: Group<unknown>): bigint => (disclosed === 0 ? -1n : cents);

function keyOrder(dimensions: readonly Dimension[]): (a: GroupKey, b: GroupKey) => number {
  const compares = dimensions.map(({ order }) =>
    order ? (a: string, b: string) => order.indexOf(a) - order.indexOf(b) : byCodePoint,
  );
  return (a, b) => {
    for (const [n, compare] of compares.entries()) {
      const [x, y] = [a[n]!, b[n]!];
      const difference = x === null || y === null ? Number(x === null) - Number(y === null) : compare(x, y);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}
