import {
  createMatchOf,
  isSimilar,
  type Match,
  type Named,
  type NameQuery,
} from "@tranche/read-models/query/name-match";
import type { IndexNames, ReadModel } from "@tranche/shared/engines/search/index-names";
import { type NamedFields, nameSearch, similarNameSearch } from "../query/name-search.ts";
import type { Search } from "../search/search.ts";
import type { NameType } from "@tranche/read-models/parameters/name-search";
import type { FoundName, RankedName } from "./found-name.ts";

/** Documents that have a name, such as companies. */
export type NamedDocuments<Document> = {
  type: NameType;
  model: ReadModel;
  fields: NamedFields;
  named: (document: Document) => Named;
  row: (document: Document) => Omit<FoundName, "matched">;
};

/** The number of possibly similar documents that are examined. Only a few short words find more; those with most rounds come first. */
const MAX_SIMILAR = 200;

/** The best documents for a query, and those that are similar to it. */
export function createDocumentSearch<Document>(
  { search, names }: { search: Search; names: IndexNames },
  { model, fields, named, row }: NamedDocuments<Document>,
) {
  const index = names.role(model, "live");
  const ranked = (document: Document, matched: Match): RankedName => ({
    nameKey: named(document).key,
    found: { ...row(document), matched },
  });
  return {
    /** Without edits. */
    async best(query: NameQuery, limit: number, left: AbortSignal): Promise<RankedName[]> {
      const { documents } = await search<Document>(index, nameSearch(query, fields, limit), left);
      const matchOf = createMatchOf(query);
      return documents.flatMap((document) => {
        const matched = matchOf(named(document));
        return matched === undefined ? [] : [ranked(document, matched)];
      });
    },
    async similar(query: NameQuery, limit: number, left: AbortSignal): Promise<RankedName[]> {
      const among = async (size: number) => {
        const { documents } = await search<Document>(index, similarNameSearch(query, fields, size), left);
        const similar = documents.filter((document) => isSimilar(query, named(document)));
        return { similar, all: similar.length >= limit || documents.length < size };
      };
      // As a rule all candidates are similar, and more of them would be read for nothing.
      const first = await among(limit);
      const { similar } = first.all ? first : await among(MAX_SIMILAR);
      return similar.slice(0, limit).map((document) => ranked(document, "similar"));
    },
  };
}
