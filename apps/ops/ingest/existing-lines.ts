import type { Existing } from "@tranche/intake/reading/existing";
import { counted } from "@tranche/shared/domain/text/numbers";

/** What became of existing records, as people read it; nothing where there is nothing to say. */
export function existingLines({ replaced, merged, kept }: Existing): string[] {
  return [
    replaced > 0 &&
      `${counted(replaced, "existing record")} replaced, with all fields. To prevent that, use --only-new, or "op": "merge" to change single fields.`,
    merged > 0 && `${counted(merged, "existing record")} changed by merges`,
    kept > 0 && `${counted(kept, "existing record")} left alone (--only-new)`,
  ].filter((line) => typeof line === "string");
}
