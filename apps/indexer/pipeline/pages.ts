import type { RecordType } from "@tranche/shared/records/record";
import type { ReadModel } from "@tranche/shared/search/index-names";
import { retryForever, wholeAnswer } from "@tranche/shared/search/retry-forever";
import { searchKeys } from "@tranche/shared/search/search-all";
import type { DocumentIds } from "../affected/affected-documents.ts";
import { chunks } from "@tranche/shared/search/chunks";
import type { PipelineParts } from "./parts.ts";

/** Which records a read model has a document of each. */
const RECORD_OF = { funding: "round", signals: "company" } as const;

/** Each search for the next ids looks at all records, so it had better find many. */
const IDS_AT_ONCE = 10_000;

/** Pages through the documents that all records of a read model stand for, by id; those of deleted records included. */
export async function* pagesOf(parts: PipelineParts, model: ReadModel, pageSize: number): AsyncGenerator<DocumentIds> {
  for await (const ids of idsOf(parts, RECORD_OF[model])) {
    for (const page of chunks(ids, pageSize)) yield only(model, page);
  }
}

/** Ids of all records of a type, deleted ones too, in their order and many at once; those after a given one if there is one. */
export function idsOf(parts: PipelineParts, type: RecordType, after: string | null = null): AsyncGenerator<string[]> {
  return searchKeys(parts.client, {
    index: parts.names.record(type),
    query: after === null ? { match_all: {} } : { range: { id: { gt: after } } },
    field: "id",
    pageSize: IDS_AT_ONCE,
  });
}

/** The documents of these ids of one read model, and none of the other. */
export function only(model: ReadModel, ids: Iterable<string>): DocumentIds {
  const wanted = new Set(ids);
  return model === "funding" ? { rounds: wanted, companies: new Set() } : { rounds: new Set(), companies: wanted };
}

/** How many records, deleted ones too, a read model is made of. */
export async function countOf(parts: PipelineParts, model: ReadModel): Promise<number> {
  const index = parts.names.record(RECORD_OF[model]);
  return (await retryForever(async () => wholeAnswer(await parts.client.count({ index })))).count;
}
