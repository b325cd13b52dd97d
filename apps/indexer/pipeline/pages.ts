import { REGISTRY } from "@tranche/read-models/documents/registry";
import type { RecordType } from "@tranche/shared/domain/records/record";
import { type IdRange, inRange } from "@tranche/shared/engines/search/id-ranges";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import { retryForever, wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import { searchKeys } from "@tranche/shared/engines/search/search-all";
import type { DocumentIds } from "../read/affected-documents.ts";
import { chunks } from "@tranche/shared/engines/search/chunks";
import type { PipelineParts } from "./parts.ts";

/** Each search for the next ids reads all records, so it fetches many ids. */
const IDS_AT_ONCE = 10_000;

/** Pages through the ids of the documents of a read model in a range, in order, those of deleted records included. */
export async function* pagesOf(
  parts: PipelineParts,
  model: ReadModel,
  pageSize: number,
  range: IdRange,
): AsyncGenerator<string[]> {
  for await (const ids of idsOf(parts, REGISTRY[model].record, range)) yield* chunks(ids, pageSize);
}

/** Pages of ids of all records of a type in a range, in order, deleted records included. */
export function idsOf(parts: PipelineParts, type: RecordType, range: IdRange): AsyncGenerator<string[]> {
  return searchKeys(parts.client, {
    index: parts.names.record(type),
    query: inRange("id", range),
    field: "id",
    pageSize: IDS_AT_ONCE,
  });
}

/** Documents of one read model only. */
export function only(model: ReadModel, ids: Iterable<string>): DocumentIds {
  const none: DocumentIds = { rounds: new Set(), companies: new Set(), investors: new Set() };
  return { ...none, [REGISTRY[model].documents]: new Set(ids) };
}

/** The number of records that a read model is derived from, deleted records included. */
export async function countOf(parts: PipelineParts, model: ReadModel): Promise<number> {
  const index = parts.names.record(REGISTRY[model].record);
  return (await retryForever(async () => wholeAnswer(await parts.client.count({ index })))).count;
}
