import type { estypes } from "@elastic/elasticsearch";
import type { OrderedBy } from "@tranche/read-models/query/list-query";
import type { ValueBucket } from "./bucket.ts";
import type { BucketStrategy, EngineBucket } from "./bucket-strategy.ts";
import { days } from "./days.ts";
import { amounts } from "./amounts.ts";
import { names } from "./names.ts";
import { points } from "./points.ts";

/**
 * How to find row N of a long list without a scan of all rows before it: Elasticsearch counts rows in buckets of the ordering field,
 * the bucket that contains row N is divided into narrower ones, and so on, until few rows are left to scan. Exact at any depth.
 */
export const STRATEGIES: Readonly<Record<OrderedBy, BucketStrategy>> = { days, amounts, points, names };

/** A bucket with at most this many rows is scanned. */
export const MAX_SCANNED_ROWS = 1000;

/** As `MAX_SCANNED_ROWS`, of rows with one value: to divide them by id, Elasticsearch reads the ids of all rows of the index. */
export const MAX_SCANNED_EQUALS = 4000;

/**
 * After a position, this many rows of one value are scanned, too: Elasticsearch skips those before the position fast, and a condition on
 * their ids costs as much as there are ids of all values in its range. With 1,000,000 rows both cost about 2 ms here.
 */
export const MAX_SCANNED_GROUP = 32_000;

/** The value buckets of an aggregation, ascending, without the empty ones. `outer`: the bucket that they divide. */
export function bucketsOf(
  strategy: BucketStrategy,
  answer: estypes.AggregationsAggregate,
  outer?: ValueBucket,
): ValueBucket[] {
  type Counted = { buckets: EngineBucket[]; sum_other_doc_count?: number };
  const { buckets, sum_other_doc_count: beyond = 0 } = answer as unknown as Counted;
  const found = strategy.bucketsOf(
    buckets.filter(({ doc_count }) => doc_count > 0),
    outer,
  );
  const last = found.at(-1);
  // Elasticsearch returns only so many values: the last bucket holds all rows with a later one, too.
  return last && beyond > 0 ? [...found.slice(0, -1), { ...last, count: last.count + beyond }] : found;
}
