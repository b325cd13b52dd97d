import type { RecordType } from "@tranche/shared/records/record";
import type { ReadModel } from "@tranche/shared/search/index-names";
import { retryForever, wholeAnswer } from "@tranche/shared/search/retry-forever";
import { searchKeys } from "@tranche/shared/search/search-all";
import type { DocumentIds } from "../affected/affected-documents.ts";
import { chunks } from "@tranche/shared/search/chunks";
import type { PipelineParts } from "./parts.ts";

/** The record type that a read model has one document per record of. */
const RECORD_OF = { funding: "round", signals: "company", investors: "investor" } as const;

/** What the documents of a read model are called in `DocumentIds`. */
const KIND_OF = { funding: "rounds", signals: "companies", investors: "investors" } as const satisfies Record<
  ReadModel,
  keyof DocumentIds
>;

/** Each search for the next ids reads all records, so it fetches many ids. */
const IDS_AT_ONCE = 10_000;

/** Pages through the ids of all documents of a read model, in order, those of deleted records included. */
export async function* pagesOf(parts: PipelineParts, model: ReadModel, pageSize: number): AsyncGenerator<string[]> {
  for await (const ids of idsOf(parts, RECORD_OF[model])) yield* chunks(ids, pageSize);
}

/** Pages of ids of all records of a type in a range, in order, deleted records included. */
export function idsOf(
  parts: PipelineParts,
  type: RecordType,
  { after, last }: { after: string | null; last: string | null } = { after: null, last: null },
): AsyncGenerator<string[]> {
  const range = { ...(after === null ? {} : { gt: after }), ...(last === null ? {} : { lte: last }) };
  return searchKeys(parts.client, {
    index: parts.names.record(type),
    query: after === null && last === null ? { match_all: {} } : { range: { id: range } },
    field: "id",
    pageSize: IDS_AT_ONCE,
  });
}

/** Documents of one read model only. */
export function only(model: ReadModel, ids: Iterable<string>): DocumentIds {
  const none: DocumentIds = { rounds: new Set(), companies: new Set(), investors: new Set() };
  return { ...none, [KIND_OF[model]]: new Set(ids) };
}

/** The number of records that a read model is derived from, deleted records included. */
export async function countOf(parts: PipelineParts, model: ReadModel): Promise<number> {
  const index = parts.names.record(RECORD_OF[model]);
  return (await retryForever(async () => wholeAnswer(await parts.client.count({ index })))).count;
}
