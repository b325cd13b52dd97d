import type { estypes } from "@elastic/elasticsearch";
import type { ValueBucket } from "./bucket.ts";

/** A bucket in an aggregation of Elasticsearch. Which members it has depends on the aggregation. */
export type EngineBucket = {
  key: string | number;
  key_as_string?: string;
  from?: number;
  to?: number;
  doc_count: number;
};

type Aggregation = estypes.AggregationsAggregationContainer;

/** How rows are counted in buckets of an ordering field, for one kind of values. */
export type BucketStrategy = {
  /** Counts all values of a field. */
  firstBuckets(field: string): Aggregation;
  /**
   * How to divide a bucket: an aggregation that counts narrower values; "ids" when all its rows have one value, so that their order
   * is that of their ids; undefined when it can't be divided.
   */
  narrow(field: string, bucket: ValueBucket): Aggregation | "ids" | undefined;
  /** The buckets of an aggregation, ascending and none empty, as value buckets. `outer`: the bucket that they divide. */
  bucketsOf(counted: readonly EngineBucket[], outer?: ValueBucket): ValueBucket[];
};
