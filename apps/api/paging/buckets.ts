import type { estypes } from "@elastic/elasticsearch";
import type { OrderedBy } from "@tranche/read-models/query/list-query";
import type { Bucket, ValueBucket } from "./bucket.ts";

/**
 * How row N of a long list is found without scanning all rows before it: the search engine counts rows in buckets of the ordering
 * field, the bucket that holds row N is divided into narrower ones, and so on, until few rows are left to scan. Exact at any depth.
 */

/** A bucket with at most this many rows is scanned. */
export const MAX_SCANNED_ROWS = 1000;
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

/** How a bucket is counted again, so that the way gets shorter: in narrower ones of its values, or by ids where all rows have the same. */
export function narrowing(
  values: OrderedBy,
  bucket: Bucket,
  maxScannedRows = MAX_SCANNED_ROWS,
): "values" | "ids" | undefined {
  if (bucket.count <= maxScannedRows) return undefined;
  if (!("from" in bucket)) return "ids";
  switch (values) {
    case "days":
      return isMonth(bucket) ? "values" : "ids";
    case "dollars": {
      const to = Number(bucket.to ?? Infinity);
      if (to - Number(bucket.from) <= 1.5 * CENT) return "ids";
      return Number(bucket.from) < MAX_COUNTED ? "values" : undefined;
    }
    case "points":
      return "ids";
    case "names":
      // Names that begin alike differ further on: ids are not in order among them.
      return undefined;
  }
}

/** The aggregation `buckets` that counts the values of a field, all of them or those of an outer bucket. */
export function bucketsAggregation(
  values: OrderedBy,
  field: string,
  outer?: ValueBucket,
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

type EngineBucket = { key: string | number; key_as_string?: string; from?: number; to?: number; doc_count: number };

/** The buckets of an answer, ascending, those that have rows. */
export function bucketsOf(
  values: OrderedBy,
  answer: estypes.AggregationsAggregate,
  outer?: ValueBucket,
): ValueBucket[] {
  const buckets = (answer as unknown as { buckets: EngineBucket[] }).buckets.filter((bucket) => bucket.doc_count > 0);
  return buckets.map((bucket, i): ValueBucket => {
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

function isMonth({ from, to }: Pick<ValueBucket, "from" | "to">): boolean {
  return to !== after(String(from), "day");
}

function after(date: string, unit: "day" | "month"): string {
  const next = new Date(`${date}T00:00:00Z`);
  if (unit === "day") next.setUTCDate(next.getUTCDate() + 1);
  else next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString().slice(0, 10);
}
