import type { ReadRebuild } from "@tranche/shared/protocol/rebuild/state";
import type { RebuildParts } from "./parts.ts";

/** One step of a rebuild: does its work, which it may have begun before, and saves the next state. */
export type StepFunction = (parts: RebuildParts, read: ReadRebuild) => Promise<ReadRebuild>;

/** The rebuild can't continue. Its indices are deleted, and the live index stays as it is. */
export class RebuildFailed extends Error {
  override name = "RebuildFailed";
}
