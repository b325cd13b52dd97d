import type { Client } from "@elastic/elasticsearch";
import { type Changes, changesBetween } from "@tranche/shared/generations/changes";
import type { IndexNames, ReadModel } from "@tranche/shared/search/index-names";
import { searchedFields } from "@tranche/read-models/indices/mappings";
import { type OnRetry, retryForever } from "@tranche/shared/search/retry-forever";
import type { Derived } from "./publish.ts";

/** Where more is written at once, most of what readers remember is touched anyway. */
const MAX_LISTED = 500;

/**
 * What derived documents will change for readers; undefined when it is not known or too much to tell. Call it after the writing of
 * the documents has begun and before they are written: what is read is what they were, whether readers see it already or not.
 */
export async function changesTo(
  parts: { client: Client; names: IndexNames; onRetry: OnRetry },
  model: ReadModel,
  documents: readonly Derived[],
): Promise<Changes | undefined> {
  if (documents.length > MAX_LISTED) return undefined;
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
