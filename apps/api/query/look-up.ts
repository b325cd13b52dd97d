import type { estypes } from "@elastic/elasticsearch";
import { domainOf } from "@tranche/shared/domain/text/domain";
import { keyOf } from "@tranche/shared/domain/text/key";
import { keyForms, otherSlugs } from "@tranche/shared/domain/text/spellings";

type Clause = estypes.QueryDslQueryContainer;

/** The document of an id, shown or not. */
export function byId(idField: string, id: string): estypes.SearchRequest {
  return {
    query: { bool: { filter: [{ term: { listed: true } }, { term: { [idField]: id } }] } },
    size: 1,
    track_total_hits: false,
  };
}

/**
 * The company whose id it is; else, of those whose slug it is by key, or else whose domain it is, or else whose slug has `and` where it
 * has `&` or the other way round, the one with the lowest id.
 */
export function companyBy(text: string): estypes.SearchRequest {
  const domain = domainOf(text);
  return best("company_id", [
    { term: { company_id: text } },
    slugIs(text),
    ...(domain === null ? [] : [{ term: { domain } }]),
    ...slugIsSpelled("company_keys", text),
  ]);
}

/** The document whose id it is; else, of those whose slug it is, the one with the lowest id. Deleted ones are left out. */
export function byIdOrSlug(idField: string, text: string): estypes.SearchRequest {
  return best(idField, [{ term: { [idField]: text } }, { term: { slug: text } }]);
}

/** The ids of listed investors with this slug by key, then of those whose slug has `and` for `&` or the other way round. */
export function bySlugKey(text: string, size: number): estypes.SearchRequest {
  const request = best("investor_id", [slugIs(text), ...slugIsSpelled("investor_keys", text)]);
  return { ...request, size, _source: ["investor_id"] };
}

const slugIs = (text: string): Clause => ({ terms: { slug: keyForms(keyOf(text)) } });

/** The slug is the text in the other spelling. `keys` has what the record is called: `Kite Sons` is not `Kite and Sons`. */
function slugIsSpelled(keys: string, text: string): Clause[] {
  const slugs = otherSlugs(text);
  return slugs.length === 0
    ? []
    : [{ bool: { filter: [{ terms: { slug: slugs } }, { term: { [keys]: keyOf(text) } }] } }];
}

/** The document that the first of these conditions finds, with the lowest id; deleted ones are left out. */
function best(idField: string, conditions: readonly Clause[]): estypes.SearchRequest {
  const should = conditions.map((filter, i) => ({
    constant_score: { filter, boost: 2 ** (conditions.length - 1 - i) },
  }));
  return {
    query: {
      bool: {
        should,
        minimum_should_match: 1,
        must_not: [{ term: { deleted: true } }, { term: { gone: true } }],
      },
    },
    sort: [{ _score: { order: "desc" } }, { [idField]: { order: "asc" } }],
    size: 1,
    track_total_hits: false,
  };
}
