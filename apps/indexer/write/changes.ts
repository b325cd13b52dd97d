import type { Client } from "@elastic/elasticsearch";
import { type Changes, changesBetween } from "@tranche/shared/protocol/generations/changes";
import type { IndexNames, ReadModel } from "@tranche/shared/engines/search/index-names";
import { searchedFields } from "@tranche/read-models/indices/mappings";
import { type OnRetry, retryForever } from "@tranche/shared/engines/search/retry-forever";
import type { Derived } from "./outgoing.ts";

/** The most documents whose changes are listed. A larger write affects most cached values anyway. */
export const MOST_LISTED = 500;

/**
 * The changes that derived documents will make for readers; undefined when they are unknown or too many to list. Call it after the
 * announcer has begun the write and before the documents are written: it reads their former state, also where that is not visible
 * to searches yet.
 */
export async function changesTo(
  parts: { client: Client; names: IndexNames; onRetry: OnRetry },
  model: ReadModel,
  documents: readonly Derived[],
): Promise<Changes | undefined> {
  if (documents.length > MOST_LISTED) return undefined;
  const fields = searchedFields(model);
  const request = {
    index: parts.names.role(model, "live"),
    ids: documents.map(({ id }) => id),
    _source_includes: fields,
  };
  const { docs } = await retryForever(() => parts.client.mget<Record<string, unknown>>(request), parts.onRetry);
  if (docs.some((document) => "error" in document)) return undefined;
  const before = new Map(docs.flatMap((found) => ("_source" in found ? [[found._id, found._source!] as const] : [])));
  return changesBetween(fields, before, documents as readonly { id: string; document: Record<string, unknown> }[]);
}
