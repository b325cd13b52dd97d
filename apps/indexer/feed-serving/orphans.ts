import { FIRST_STAGE } from "@tranche/shared/engines/search/index-names";
import { OVER_AFTER_MS } from "@tranche/shared/protocol/ticket/lost-numbers";
import type { PipelineParts } from "../pipeline/parts.ts";
import { deriveAgain } from "./derive-again.ts";

/** A job that runs again takes the notes of its first run back by itself, within the time that a queue needs to notice its death. */
const ORPHAN_AFTER_MS = 60_000;

/**
 * Derives again the documents whose writers died and that no job writes again: their notes would hold the feed for ever. A document
 * that can't be derived or is refused keeps its note for a quarter of an hour: until then its old writer's request may still arrive.
 * Returns how many documents it derived. Rule 3 of docs/decisions/0040-a-feed-that-misses-nothing.md.
 */
export async function publishOrphans(parts: PipelineParts): Promise<number> {
  const now = Date.now();
  let derived = 0;
  for (const model of FIRST_STAGE) {
    const orphans = await parts.pendingWrites.takenBefore(model, now - ORPHAN_AFTER_MS);
    const ids = [...new Set(orphans.flatMap((orphan) => orphan.ids))];
    await deriveAgain(parts, model, ids);
    derived += ids.length;
    for (const { ticket, ids: left } of await parts.pendingWrites.takenBefore(model, now - OVER_AFTER_MS)) {
      await parts.pendingWrites.takeBack(model, ticket, { written: [], left });
    }
    await parts.pendingWrites.removeEmpty(model, now - OVER_AFTER_MS);
  }
  if (derived > 0) parts.log.warn({ derived }, "derived again documents of workers that died");
  return derived;
}
