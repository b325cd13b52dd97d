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
  const similar = anyClause(query.forms.map(({ words }) => resemblesWordsClause("name_prefixes", words)));
  return { query: { bool: { filter: [similar], must_not: ranks(query, fields) } }, ...inOrder(ORDER, fields, limit) };
}

/** The conditions of the ranks without edits. */
function ranks(query: NameQuery, fields: NamedFields): [exact: Clause, prefix: Clause, words: Clause] {
  const { keys, forms, domain } = query;
  return [
    anyClause([
      ...keys.map((key) => ({ term: { [fields.keys]: key } })),
      ...(fields.domain && domain !== null ? [{ term: { [fields.domain]: domain } }] : []),
    ]),
    anyClause(forms.map(({ key }) => ({ prefix: { name_key: key } }))),
    anyClause(forms.map(({ words }) => beginsWordsClause("name_prefixes", words))),
  ];
}

const anyClause = (clauses: readonly Clause[]): Clause =>
  clauses.length === 1 ? clauses[0]! : { bool: { should: [...clauses], minimum_should_match: 1 } };

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
