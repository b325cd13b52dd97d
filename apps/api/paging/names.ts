import type { BucketStrategy } from "./bucket-strategy.ts";

/** Elasticsearch returns at most 65,536 buckets by default. */
const MAX_HEADS = 65_000;

/** The field with the first characters of the names in a field `<name>_key`. */
export const headOf = (field: string): string => field.replace(/_key$/, "_head");

/** Names in a field `<name>_key`: one bucket per value of `<name>_head`, which has the first characters of the name. */
export const names: BucketStrategy = {
  firstBuckets: (field) => ({
    terms: { field: headOf(field), size: MAX_HEADS, order: { _key: "asc" } },
  }),
  // Names with the same first characters can differ after them, so they are not in the order of their ids.
  narrow: () => undefined,
  bucketsOf: (counted) =>
    counted.map(({ key, doc_count }, i) => {
      const next = counted[i + 1];
      return { from: String(key), to: next ? String(next.key) : null, count: doc_count };
    }),
};
