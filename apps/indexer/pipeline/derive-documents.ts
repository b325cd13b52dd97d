import type { DocumentIds } from "../affected/affected-documents.ts";
import { deriveAfresh } from "./derivation.ts";
import type { PipelineParts } from "./parts.ts";
import { publishBatch, type Published } from "./publish-batch.ts";

/** Derives documents afresh and makes them visible everywhere. */
export async function deriveDocuments(parts: PipelineParts, documents: DocumentIds): Promise<Published> {
  if (documents.rounds.size + documents.companies.size === 0) return { funding: 0, signals: 0 };
  return publishBatch(parts, await deriveAfresh(parts, documents));
}
