import type { ReadModel } from "@tranche/shared/search/indices";
import { patiently, wholeAnswer } from "@tranche/shared/search/patiently";
import { searchAll } from "@tranche/shared/search/search-all";
import { chunks } from "../jobs/chunks.ts";
import type { JobParts } from "../jobs/parts.ts";
import type { Touched } from "../touch/touched.ts";

/** Documents of a read model that one page of records stands for, and the last id of the page. */
export type Page = { touched: Touched; last: string };

/** Which records a read model has a document of each. */
const RECORD_OF = { funding: "round", signals: "company" } as const;

/** Each search for the next ids looks at all records, so it had better find many. */
const IDS_AT_ONCE = 10_000;

/** Pages through the ids of all records that a read model is made of, by id, after `cursor`; deleted records included. */
export async function* pagesOf(
  parts: JobParts,
  model: ReadModel,
  cursor: string | null,
  pageSize: number,
): AsyncGenerator<Page> {
  const pages = searchAll<{ id: string }>(parts.client, {
    index: parts.names.record(RECORD_OF[model]),
    query: cursor === null ? { match_all: {} } : { range: { id: { gt: cursor } } },
    sort: ["id"],
    source: ["id"],
    pageSize: IDS_AT_ONCE,
  });
  for await (const found of pages) {
    for (const page of chunks(found, pageSize)) {
      const ids = new Set(page.map((record) => record.id));
      const touched =
        model === "funding"
          ? { rounds: ids, companies: new Set<string>() }
          : { rounds: new Set<string>(), companies: ids };
      yield { touched, last: page.at(-1)!.id };
    }
  }
}

/** How many records, deleted ones too, a read model is made of. */
export async function countOf(parts: JobParts, model: ReadModel): Promise<number> {
  const index = parts.names.record(RECORD_OF[model]);
  return (await patiently(async () => wholeAnswer(await parts.client.count({ index })))).count;
}
