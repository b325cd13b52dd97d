import { createSingleFlight } from "../cache/single-flight.ts";
import { createValidatedCache } from "../cache/validated-cache.ts";
import type { BucketList } from "./bucket-lists.ts";

/** Counts of lists, about 20,000 of them: counting is the most expensive part of a search. */
const COUNTS_BYTES = 16 * 1024 * 1024;
/** Counts by bucket, which find pages far down a list. */
const BUCKETS_BYTES = 16 * 1024 * 1024;

/** The counts of the pager. Nothing is cached for requests without a generation. */
export function createPagerCaches() {
  return {
    counts: createValidatedCache<number>({ maxBytes: COUNTS_BYTES }, (count, gained) => count + gained),
    bucketLists: createSingleFlight<BucketList>(
      createValidatedCache({ maxBytes: BUCKETS_BYTES, bytesOf: ({ buckets }) => 100 * buckets.length }),
    ),
  };
}
