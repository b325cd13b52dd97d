import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import type { Verification } from "@tranche/shared/protocol/rebuild/verification";
import { countOf } from "../pipeline/pages.ts";
import type { PipelineParts } from "../pipeline/parts.ts";
import { shareOut, type ShareOutParts } from "./share-out.ts";
import { NOTHING_FOUND, mergeVerifications, verification } from "./verify-documents.ts";

/**
 * Compares every document with a fresh derivation, and repairs those that differ if `repair` is set. All indexers share the work slice by
 * slice. `run` names this verification: a second call after a kill continues it. Throws SliceMoved when another
 * verification has begun.
 */
export async function verifyAll(
  parts: PipelineParts & ShareOutParts,
  { run, repair, onProgress }: { run: string; repair: boolean; onProgress: (done: number) => Promise<void> },
): Promise<Verification> {
  const counts = await Promise.all(READ_MODELS.map((model) => countOf(parts, model)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let result = NOTHING_FOUND;
  for (const model of READ_MODELS) {
    const before = result;
    const found = await shareOut(parts, verification(parts, { model, repair }), { run }, async (soFar) =>
      onProgress((before.compared + soFar.compared) / Math.max(1, total)),
    );
    result = mergeVerifications(before, found);
  }
  return result;
}
