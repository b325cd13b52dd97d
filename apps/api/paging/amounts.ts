import type { BucketStrategy } from "./bucket-strategy.ts";

const CENT = 0.01;
/** A bucket is divided into at most this many. */
const PARTS = 256;
/** In US dollars. From here on, a double may not represent single cents. */
const MAX_DIVIDED = (Number.MAX_SAFE_INTEGER * CENT) / 2;

/** Lower bounds of the first buckets, in US dollars: a few per decade. */
const FIRST_BOUNDS = [
  0,
  1,
  ...Array.from({ length: 16 }, (_, decade) => [1, 1.5, 2, 3, 4, 5, 7].map((step) => step * 10 ** decade))
    .flat()
    .slice(1),
];

/**
 * Amounts in US dollars and cents, and headcounts, which have as many different values: counted in a few ranges per decade, then in
 * equal ranges, down to one cent.
 */
export const amounts: BucketStrategy = {
  firstBuckets: (field) => ranges(field, FIRST_BOUNDS),
  narrow(field, bucket) {
    const [from, to] = [Number(bucket.from), Number(bucket.to ?? Infinity)];
    // The difference of two doubles is not exactly a cent.
    if (to - from <= 1.5 * CENT) return "ids";
    // The bucket without an end begins above this too.
    return from < MAX_DIVIDED ? ranges(field, divided(from, to)) : undefined;
  },
  bucketsOf: (counted, outer) =>
    counted.map(({ from, to, doc_count }) => ({ from: from!, to: to ?? outer?.to ?? null, count: doc_count })),
};

/** Ranges from each bound to the next; the last one has no end. */
function ranges(field: string, bounds: readonly number[]) {
  const each = bounds.map((from, i) => (i + 1 < bounds.length ? { from, to: bounds[i + 1]! } : { from }));
  return { range: { field, ranges: each } };
}

/** At most PARTS lower bounds between `from` and `to`, in whole cents, because searches for a range compare whole cents. */
function divided(from: number, to: number): number[] {
  const [low, high] = [Math.round(from * 100), Math.round(to * 100)];
  const step = Math.max(1, Math.ceil((high - low) / PARTS));
  return Array.from({ length: Math.ceil((high - low) / step) }, (_, i) => (low + i * step) / 100);
}
