import { chunks } from "@tranche/shared/engines/search/chunks";
import type { FirstStage } from "@tranche/shared/engines/search/index-names";
import { deriveDocuments } from "../pipeline/derive-documents.ts";
import { only } from "../pipeline/pages.ts";
import type { PipelineParts } from "../pipeline/parts.ts";

/** Few enough that ingest jobs in the same process wait only a moment. */
const BATCH_SIZE = 500;

/** Derives documents whose writers may have died. They count as changed, whatever readers of the feed have seen of them. */
export async function deriveAgain(parts: PipelineParts, model: FirstStage, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids, BATCH_SIZE)) await deriveDocuments(parts, only(model, some), { again: true });
}
