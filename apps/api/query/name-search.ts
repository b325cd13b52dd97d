import type { estypes } from "@elastic/elasticsearch";
import type { NameQuery } from "@tranche/read-models/query/name-match";
import { beginsWordsClause, resemblesWordsClause } from "@tranche/read-models/query/words-clause";

type Clause = estypes.QueryDslQueryContainer;

/** The fields of documents that have a name. */
export type NamedFields = {
  id: string;
  /** Keys of name, slug and aliases. */
  keys: string;
  domain?: string;
  source: readonly string[];
};

/** The best documents whose name matches without edits, in the order of the search. */
export function nameSearch(query: NameQuery, fields: NamedFields, limit: number): estypes.SearchRequest {
  const [exact, prefix, words] = ranks(query, fields);
  const scored = [exact, prefix, words].map((filter, i) => ({ constant_score: { filter, boost: 3 - i } }));
  return { query: { dis_max: { queries: scored } }, ...inOrder(["_score", ...ORDER], fields, limit) };
}

/**
 * Documents whose name may match with edits, in the order of the search. Whether the words belong to one name, each word to another,
 * only the name itself shows.
 */
export function similarNameSearch(query: NameQuery, fields: NamedFields, limit: number): estypes.SearchRequest {
  const filter = resemblesWordsClause("name_prefixes", query.words);
  return { query: { bool: { filter: [filter], must_not: ranks(query, fields) } }, ...inOrder(ORDER, fields, limit) };
}

/** The conditions of the ranks without edits. */
function ranks({ key, words, domain }: NameQuery, fields: NamedFields): [exact: Clause, prefix: Clause, words: Clause] {
  const keys: Clause = { term: { [fields.keys]: key } };
  const exact =
    fields.domain && domain !== null ? { bool: { should: [keys, { term: { [fields.domain]: domain } }] } } : keys;
  return [exact, { prefix: { name_key: key } }, beginsWordsClause("name_prefixes", words)];
}

const ORDER = ["round_count"];

/** The fields that a search reads beside those in `NamedFields`. */
export const NAME_FIELDS = [...ORDER, "name_key", "name_prefixes"] as const;

function inOrder(descending: readonly string[], { id, source }: NamedFields, limit: number) {
  const sort: estypes.Sort = [
    ...descending.map((field) => ({ [field]: { order: "desc" as const } })),
    { name_key: { order: "asc" } },
    { [id]: { order: "asc" } },
  ];
  return { sort, size: limit, track_total_hits: false, _source: [...source] };
}
