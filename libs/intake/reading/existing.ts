import type { Effects } from "./comparison.ts";

/** Records that existed before an ingest by what became of them, each once; `waiting`: those that do not exist yet, though merges name them. */
export type Existing = {
  /** An upsert changed them. */
  replaced: number;
  /** A merge changed them. */
  merged: number;
  deleted: number;
  unchanged: number;
  /** Left alone because of --only-new. */
  kept: number;
  waiting: number;
};

/** The fate of the records that existed before; all of them were left alone if only new ones went in. */
export function existingOf(effects: Effects, onlyNew: boolean): Existing {
  const { replaced, merged, deleted, unchanged, waiting } = effects;
  if (!onlyNew) return { replaced, merged, deleted, unchanged, kept: 0, waiting };
  return { replaced: 0, merged: 0, deleted: 0, unchanged: 0, kept: replaced + merged + deleted + unchanged, waiting };
}
