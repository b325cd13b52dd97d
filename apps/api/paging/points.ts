import type { BucketStrategy } from "./bucket-strategy.ts";

/** Whole numbers, such as scores and counts: one bucket per number. */
export const points: BucketStrategy = {
  firstBuckets: (field) => ({ histogram: { field, interval: 1, min_doc_count: 1 } }),
  narrow: () => "ids",
  bucketsOf: (counted) =>
    counted.map(({ key, doc_count }) => ({ from: Number(key), to: Number(key) + 1, count: doc_count })),
};
