import type { Filter } from "@tranche/read-models/query/filters";

/** A state of a read model that callers could see, and what is known of the changes since. */
export type Generation = { readonly id: string; readonly number: number; readonly log: KnownChanges };

/** The dependencies of a cached value. Other changes leave it valid. */
export type Dependencies = {
  /** The value was computed from the documents that match these. */
  filters: readonly Filter[];
  /** The documents that the value shows. */
  ids: readonly string[];
  /** The field that the documents are sorted by, where their order matters. */
  order?: string;
  /** The value shows something of all documents that match: any change of one of them matters, or a change of one of these fields. */
  all?: true | readonly string[];
};

/** A value and what it was computed from. Without `dependencies` any change makes it stale. */
export type Cacheable<T> = { value: T; dependencies?: Dependencies | undefined };

/** The known changes of a read model's visible documents. */
export type KnownChanges = {
  readonly last: Generation | undefined;
  /**
   * The latest time at which Elasticsearch confirmed the state of `at`; `at` itself if it was not asked. By performance.now().
   */
  unchangedUntil(at: number): number;
  /** Whether a value that was computed in a generation would be the same in the last one. */
  isStillValid(computedIn: Generation, dependencies: Dependencies): boolean;
  /**
   * How many documents match the filters in addition to those that were counted, in a generation and before a time by performance.now().
   * Undefined where the count may include some of the changes already.
   */
  gained(countedIn: Generation, countedBy: number, filters: readonly Filter[]): number | undefined;
};
