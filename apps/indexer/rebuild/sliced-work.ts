import type { RecordType } from "@tranche/shared/domain/records/record";
import type { IdRange } from "@tranche/shared/engines/search/id-ranges";

/**
 * Work on all records of a type that any number of indexers share, slice by slice. A slice may run twice, also at once: its pages must
 * give the same result then.
 */
export type SlicedWork<Found> = {
  /** Names its jobs and its documents. */
  name: string;
  type: RecordType;
  pageSize: number;
  nothing: Found;
  /** Joins the results of two parts. */
  add(one: Found, other: Found): Found;
  /** Opens the work of a run: the function that does a slice. Undefined when the run is no longer wanted. */
  open: (run: string) => Promise<Pages<Found> | undefined>;
};

/** Does the pages of a range in the order of their ids, and yields the last id of each, null for the end of all ids, and what it gave. */
export type Pages<Found> = (range: IdRange) => AsyncIterable<{ last: string | null; found: Found }>;

/** The counting of a work whose result is a number. */
export const COUNTED = { nothing: 0, add: (one: number, other: number): number => one + other };
