import type { estypes } from "@elastic/elasticsearch";

/** The document of an id, shown or not. */
export function byId(idField: string, id: string): estypes.SearchRequest {
  return {
    query: { bool: { filter: [{ term: { listed: true } }, { term: { [idField]: id } }] } },
    size: 1,
    track_total_hits: false,
  };
}

/** The document whose id it is; else, of those whose slug it is, the one with the lowest id. Deleted ones are left out. */
export function byIdOrSlug(idField: string, text: string): estypes.SearchRequest {
  const matching = (field: string, boost: number) => ({
    constant_score: { filter: { term: { [field]: text } }, boost },
  });
  return {
    query: {
      bool: {
        should: [matching(idField, 2), matching("slug", 1)],
        minimum_should_match: 1,
        must_not: [{ term: { deleted: true } }, { term: { gone: true } }],
      },
    },
    sort: [{ _score: { order: "desc" } }, { [idField]: { order: "asc" } }],
    size: 1,
    track_total_hits: false,
  };
}
