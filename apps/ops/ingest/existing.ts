import { counted } from "../terminal/numbers.ts";
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

/** The same as people read it; nothing where there is nothing to say. */
export function existingLines({ replaced, merged, kept, waiting }: Existing): string[] {
  return [
    replaced > 0 &&
      `${counted(replaced, "existing record")} replaced, with all fields. To prevent that, use --only-new, or "op": "merge" to change single fields.`,
    merged > 0 && `${counted(merged, "existing record")} changed by merges`,
    kept > 0 && `${counted(kept, "existing record")} left alone (--only-new)`,
    waiting > 0 && `${counted(waiting, "record")} not stored yet: their merges wait for them`,
  ].filter((line) => typeof line === "string");
}
