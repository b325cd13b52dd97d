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
