import type { estypes } from "@elastic/elasticsearch";
import type { OrderedBy } from "./list-query.ts";
import type { Span, ValueSpan } from "./span.ts";

/**
 * How row N of a long list is found without walking to it: the values of the ordering field are counted in spans, the span that
 * holds the row is counted in narrower ones, and so on, until the rest of the way is short. Exact at any depth.
 */

/** So few rows are walked through. */
export const SHORT = 1000;
const PARTS = 256;
const CENT = 0.01;
/** In US dollars. From here on, cents can't be told apart by a double. */
const MAX_COUNTED = (Number.MAX_SAFE_INTEGER * CENT) / 2;

/** Boundaries of the first count of amounts, in US dollars: a few a decade. */
const DOLLAR_STEPS = [
  0,
  1,
  ...Array.from({ length: 16 }, (_, decade) => [1, 1.5, 2, 3, 4, 5, 7].map((step) => step * 10 ** decade))
    .flat()
    .slice(1),
];

/** How a span is counted again, so that the way gets shorter: in narrower ones of its values, or by ids where all rows have the same. */
export function narrowing(values: OrderedBy, span: Span, short = SHORT): "values" | "ids" | undefined {
  if (span.count <= short) return undefined;
  if (!("from" in span)) return "ids";
  switch (values) {
    case "days":
      return isMonth(span) ? "values" : "ids";
    case "dollars": {
      const to = Number(span.to ?? Infinity);
      if (to - Number(span.from) <= 1.5 * CENT) return "ids";
      return Number(span.from) < MAX_COUNTED ? "values" : undefined;
    }
    case "points":
      return "ids";
    case "names":
      // Names that begin alike differ further on: ids are not in order among them.
      return undefined;
  }
}

/** The aggregation `spans` that counts the values of a field, all of them or those of an outer span. */
export function spansAggregation(
  values: OrderedBy,
  field: string,
  outer?: ValueSpan,
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
export function spansOf(values: OrderedBy, answer: estypes.AggregationsAggregate, outer?: ValueSpan): ValueSpan[] {
  const buckets = (answer as unknown as { buckets: Bucket[] }).buckets.filter((bucket) => bucket.doc_count > 0);
  return buckets.map((bucket, i): ValueSpan => {
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

/** The field that has the first characters of a keyword field's values. */
const headField = (field: string) => field.replace(/_key$/, "_head");

/** At most PARTS steps from `from` to before `to`, in whole cents, so that they count just what a search finds. */
function divided(from: number, to: number): number[] {
  const [low, high] = [Math.round(from * 100), Math.round(to * 100)];
  const step = Math.max(1, Math.ceil((high - low) / PARTS));
  return Array.from({ length: Math.ceil((high - low) / step) }, (_, i) => (low + i * step) / 100);
}

function isMonth({ from, to }: Pick<ValueSpan, "from" | "to">): boolean {
  return to !== after(String(from), "day");
}

function after(date: string, unit: "day" | "month"): string {
  const next = new Date(`${date}T00:00:00Z`);
  if (unit === "day") next.setUTCDate(next.getUTCDate() + 1);
  else next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString().slice(0, 10);
}
