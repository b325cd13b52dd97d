import type { estypes } from "@elastic/elasticsearch";

/** More values than these are not listed: the most frequent ones are. */
export const MAX_VALUES = 10_000;

/** How many rounds have each value of a field. */
export function roundCounts(field: string): estypes.SearchRequest {
  return {
    size: 0,
    track_total_hits: false,
    query: { term: { listed: true } },
    aggs: { values: { terms: { field, size: MAX_VALUES } } },
  };
}

/** How many companies have each value of a field, how many of them are listed, and, if asked for, how one of them writes it. */
export function companyCounts(field: string, spelling?: string): estypes.SearchRequest {
  const spelled = {
    top_hits: { size: 1, sort: [{ company_id: { order: "asc" as const } }], _source: [`profile.${spelling}`] },
  };
  return {
    size: 0,
    track_total_hits: false,
    aggs: {
      values: {
        terms: { field, size: MAX_VALUES },
        aggs: { listed: { filter: { term: { listed: true } } }, ...(spelling ? { spelled } : {}) },
      },
    },
  };
}

/** How the company with the lowest id writes each value of a field, in `source`. */
export function spellings(field: string, keys: readonly string[], source: string): estypes.SearchRequest {
  const spelled = { top_hits: { size: 1, sort: [{ company_id: { order: "asc" as const } }], _source: [source] } };
  return {
    size: 0,
    track_total_hits: false,
    query: { terms: { [field]: [...keys] } },
    aggs: { values: { terms: { field, include: [...keys], size: keys.length }, aggs: { spelled } } },
  };
}

/** The rows of companies by id. */
export function companyRows(ids: readonly string[]): estypes.SearchRequest {
  return {
    size: ids.length,
    track_total_hits: false,
    // One that is gone since has no row.
    query: { bool: { filter: [{ terms: { company_id: [...ids] } }], must_not: [{ term: { gone: true } }] } },
    _source: ["company_id", "row"],
  };
}
