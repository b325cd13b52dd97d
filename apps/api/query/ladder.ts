import type { estypes } from "@elastic/elasticsearch";
import type { Order, OrderedBy } from "./list-query.ts";

/**
 * How row N of a long list is found without walking to it: the values of the ordering field are counted in spans, the span that
 * holds the row is counted in narrower ones, and so on, until the rest of the way is short. Exact at any depth.
 */

/** Values from `from` (inclusive) to `to` (exclusive; null: no end), and how many rows have one. */
export type Span = { from: number | string; to: number | string | null; count: number };

/** A span this small is walked through. */
const SHORT = 1000;
const PARTS = 256;
const CENT = 0.01;

/** Boundaries of the first count of amounts, in US dollars: a few a decade. */
const DOLLAR_STEPS = [
  0,
  1,
  ...Array.from({ length: 16 }, (_, decade) => [1, 1.5, 2, 3, 4, 5, 7].map((step) => step * 10 ** decade))
    .flat()
    .slice(1),
];

/** Whether counting this span again, in narrower ones, makes the way shorter. */
export function canNarrow(values: OrderedBy, { from, to, count }: Span): boolean {
  if (count <= SHORT) return false;
  if (values === "days") return isMonth({ from, to });
  return values === "dollars" && (to === null || Number(to) - Number(from) > 1.5 * CENT);
}

/** The aggregation `spans` that counts the values of a field, all of them or those of an outer span. */
export function spansAggregation(
  values: OrderedBy,
  field: string,
  outer?: Span,
): estypes.AggregationsAggregationContainer {
  switch (values) {
    case "days": {
      const calendar_interval = outer ? ("day" as const) : ("month" as const);
      return { date_histogram: { field, calendar_interval, min_doc_count: 1, format: "yyyy-MM-dd" } };
    }
    case "dollars": {
      const steps = outer
        ? divided(Number(outer.from), outer.to === null ? Number(outer.from) * 10 : Number(outer.to))
        : DOLLAR_STEPS;
      const ranges = steps.map((from, i) => (i + 1 < steps.length ? { from, to: steps[i + 1]! } : { from }));
      return { range: { field, ranges } };
    }
    case "points":
      return { histogram: { field, interval: 1, min_doc_count: 1 } };
    case "names":
      return { terms: { field: headField(field), size: 65_000, order: { _key: "asc" } } };
  }
}

type Bucket = { key: string | number; key_as_string?: string; from?: number; to?: number; doc_count: number };

/** The spans of an answer, ascending, those that have rows. */
export function spansOf(values: OrderedBy, answer: estypes.AggregationsAggregate, outer?: Span): Span[] {
  const buckets = (answer as unknown as { buckets: Bucket[] }).buckets.filter((bucket) => bucket.doc_count > 0);
  return buckets.map((bucket, i): Span => {
    const count = bucket.doc_count;
    switch (values) {
      case "days": {
        const from = bucket.key_as_string!;
        return { from, to: after(from, outer ? "day" : "month"), count };
      }
      case "dollars":
        return { from: bucket.from!, to: bucket.to ?? outer?.to ?? null, count };
      case "points":
        return { from: Number(bucket.key), to: Number(bucket.key) + 1, count };
      case "names":
        return { from: String(bucket.key), to: buckets[i + 1] ? String(buckets[i + 1]!.key) : null, count };
    }
  });
}

/** Where a row stands: in `first`, behind `skip` of its rows; a page from there on reaches into `last`. */
export type Place = { first: Span; last: Span; skip: number };

/** The place of row `offset` among spans, in the list's direction; undefined when the row is behind all of them. */
export function placeOf(
  spans: readonly Span[],
  direction: Order["direction"],
  offset: number,
  limit: number,
): Place | undefined {
  const ordered = direction === "asc" ? spans : spans.toReversed();
  let before = 0;
  for (let i = 0; i < ordered.length; i++) {
    const first = ordered[i]!;
    if (offset >= before + first.count) {
      before += first.count;
      continue;
    }
    let last = first;
    for (let j = i + 1, reached = before + first.count; j < ordered.length && reached < offset + limit; j++) {
      last = ordered[j]!;
      reached += last.count;
    }
    return { first, last, skip: offset - before };
  }
  return undefined;
}

/** The condition that a value lies in the spans from `first` on to the end of `last`, in the list's direction. */
export function within(
  field: string,
  first: Span,
  last: Span = first,
  direction: Order["direction"] = "asc",
): estypes.QueryDslQueryContainer {
  const [low, high] = direction === "asc" ? [first.from, last.to] : [last.from, first.to];
  return {
    range: { [field]: { gte: low, ...(high === null ? {} : { lt: high }) } as estypes.QueryDslUntypedRangeQuery },
  };
}

/** The field that has the first characters of a keyword field's values. */
const headField = (field: string) => field.replace(/_key$/, "_head");

/** At most PARTS steps from `from` to before `to`, in whole cents, so that they count just what a search finds. */
function divided(from: number, to: number): number[] {
  const [low, high] = [Math.round(from * 100), Math.round(to * 100)];
  const step = Math.max(1, Math.ceil((high - low) / PARTS));
  return Array.from({ length: Math.ceil((high - low) / step) }, (_, i) => (low + i * step) / 100);
}

function isMonth({ from, to }: Pick<Span, "from" | "to">): boolean {
  return to !== after(String(from), "day");
}

function after(date: string, unit: "day" | "month"): string {
  const next = new Date(`${date}T00:00:00Z`);
  if (unit === "day") next.setUTCDate(next.getUTCDate() + 1);
  else next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString().slice(0, 10);
}
