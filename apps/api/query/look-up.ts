import type { estypes } from "@elastic/elasticsearch";
import { domainOf } from "@tranche/shared/text/domain";
import { keyOf } from "@tranche/shared/text/key";

/** The document of an id, shown or not. */
export function byId(idField: string, id: string): estypes.SearchRequest {
  return {
    query: { bool: { filter: [{ term: { listed: true } }, { term: { [idField]: id } }] } },
    size: 1,
    track_total_hits: false,
  };
}

/** The company whose id it is; else, of those whose slug it is by key, or else whose domain it is, the one with the lowest id. */
export function companyBy(text: string): estypes.SearchRequest {
  const domain = domainOf(text);
  return best("company_id", [
    ["company_id", text],
    ["slug", keyOf(text)],
    ...(domain === null ? [] : [["domain", domain] as const]),
  ]);
}

/** The document whose id it is; else, of those whose slug it is, the one with the lowest id. Deleted ones are left out. */
export function byIdOrSlug(idField: string, text: string): estypes.SearchRequest {
  return best(idField, [
    [idField, text],
    ["slug", text],
  ]);
}

/** The ids of listed investors with this slug by key, the lowest first. */
export function bySlugKey(text: string, size: number): estypes.SearchRequest {
  return {
    query: { bool: { filter: [{ term: { listed: true } }, { term: { slug: keyOf(text) } }] } },
    sort: [{ investor_id: "asc" }],
    size,
    track_total_hits: false,
    _source: ["investor_id"],
  };
}

/** The document that the first of these conditions finds, with the lowest id; deleted ones are left out. */
function best(
  idField: string,
  conditions: readonly (readonly [field: string, value: string])[],
): estypes.SearchRequest {
  const should = conditions.map(([field, value], i) => ({
    constant_score: { filter: { term: { [field]: value } }, boost: 2 ** (conditions.length - 1 - i) },
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
