import type { estypes } from "@elastic/elasticsearch";
import type { Order } from "./list-query.ts";

/** Rows whose value is from `from` (inclusive) to `to` (exclusive; null: no end). */
export type ValueSpan = { from: number | string; to: number | string | null; count: number };
/** Rows without a value. */
export type MissingSpan = { missing: true; count: number };
/** Of rows that have one value, or none, those whose id is from `ids.from` (inclusive; null: the first) to `ids.to` (exclusive). */
export type IdSpan = {
  group: ValueSpan | MissingSpan;
  ids: { from: string | null; to: string | null };
  count: number;
};
/** Rows that follow one another in a list, and how many there are. */
export type Span = ValueSpan | MissingSpan | IdSpan;

export const sumOf = (spans: readonly Span[]): number => spans.reduce((sum, span) => sum + span.count, 0);

/** Where a page is: in `spans`, from the first row of it behind `skip` others on. They may end before the page does. */
export type Place = { spans: readonly Span[]; skip: number; full: boolean };

/** The place of a page among spans in the list's order; undefined when its first row is behind all of them. */
export function placeOf(spans: readonly Span[], offset: number, limit: number): Place | undefined {
  let before = 0;
  for (let i = 0; i < spans.length; i++) {
    if (offset < before + spans[i]!.count) {
      let reached = before;
      let end = i;
      while (end < spans.length && reached < offset + limit) reached += spans[end++]!.count;
      return { spans: spans.slice(i, end), skip: offset - before, full: reached >= offset + limit };
    }
    before += spans[i]!.count;
  }
  return undefined;
}

/** Spans in the order of a list: only values, which are told ascending, may go the other way. Rows without one come last in both. */
export function inOrder(spans: readonly Span[], { direction }: Order): readonly Span[] {
  if (direction === "asc") return spans;
  const values = spans.filter((span) => "from" in span);
  return [...values.toReversed(), ...spans.filter((span) => !("from" in span))];
}

/** The condition that a row is in one of these spans, which follow one another in the list. */
export function within(
  spans: readonly Span[],
  { order, idField }: { order: Order; idField: string },
): estypes.QueryDslQueryContainer {
  const any: estypes.QueryDslQueryContainer[] = [];
  const values = spans.filter((span) => "from" in span);
  if (values.length > 0) {
    const [low, high] = order.direction === "asc" ? [values[0]!, values.at(-1)!] : [values.at(-1)!, values[0]!];
    any.push(range(order.field, low.from, high.to));
  }
  const ofIds = spans.filter((span) => "ids" in span);
  if (ofIds.length > 0) {
    const [first, last] = [ofIds[0]!, ofIds.at(-1)!];
    const group = within([first.group], { order, idField });
    any.push({ bool: { filter: [group, range(idField, first.ids.from, last.ids.to)] } });
  }
  if (spans.some((span) => "missing" in span)) any.push({ bool: { must_not: { exists: { field: order.field } } } });
  return any.length === 1 ? any[0]! : { bool: { should: any, minimum_should_match: 1 } };
}

/** From the one (inclusive) to before the other; null: no bound. */
export function range(field: string, from: number | string | null, to: number | string | null) {
  const bounds = { ...(from === null ? {} : { gte: from }), ...(to === null ? {} : { lt: to }) };
  return { range: { [field]: bounds as estypes.QueryDslUntypedRangeQuery } };
}
