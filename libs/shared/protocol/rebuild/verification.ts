import type { ReadModel } from "../../engines/search/index-names.ts";

/** `missing`: not in the index; `extra`: there with no record behind it; `stale`: there, and not what its records say. */
export type Difference = { model: ReadModel; id: string; kind: "missing" | "extra" | "stale"; fields: string[] };

/** The result of a comparison of every document with a fresh derivation. `differences` are the first few. */
export type Verification = {
  compared: number;
  differing: number;
  differences: Difference[];
  /** The number of those that differed and no longer do. */
  repaired: number;
};

/** The most that are listed in `differences`. */
export const MAX_LISTED = 50;
