import type { estypes } from "@elastic/elasticsearch";
import type { Filter } from "@tranche/read-models/query/filters";
import { type AllOf, allRows } from "@tranche/read-models/query/list-query";

export type ExportSearch = { filters: readonly Filter[]; idField: string; source: readonly string[] };

/** Ids after one and up to another, by code point; without either all from the first or to the last. */
export type IdRange = { after?: string | undefined; upTo?: string | undefined };

/**
 * The search for one page of an export: the rows after `after`, by id ascending by code point. The first page counts all rows. `range`:
 * the same for several pages, so that Elasticsearch may keep its rows.
 */
export function exportPage(
  { filters, idField, source }: ExportSearch,
  size: number,
  after?: estypes.SortResults,
  range: IdRange = {},
): estypes.SearchRequest {
  return {
    query: inRange(allRows(filters), idField, range),
    sort: [{ [idField]: { order: "asc" } }],
    size,
    track_total_hits: after === undefined,
    _source: [...source],
    ...(after === undefined ? {} : { search_after: after }),
  };
}

function inRange({ bool: { filter } }: AllOf, idField: string, { after, upTo }: IdRange): AllOf {
  if (after === undefined && upTo === undefined) return { bool: { filter } };
  const bounds = { ...(after !== undefined && { gt: after }), ...(upTo !== undefined && { lte: upTo }) };
  return { bool: { filter: [...filter, { range: { [idField]: bounds } }] } };
}

/** The search for the ids of rows drawn at random; each has its id as the second of its sort values. */
export function exportSample({ filters, idField }: ExportSearch, size: number): estypes.SearchRequest {
  return {
    query: { function_score: { query: allRows(filters), functions: [{ random_score: {} }], boost_mode: "replace" } },
    sort: [{ _score: { order: "desc" } }, { [idField]: { order: "asc" } }],
    size,
    track_total_hits: false,
    _source: false,
    stored_fields: "_none_",
  };
}

/** The search for the number of rows of an export. */
export function exportCount({ filters }: Pick<ExportSearch, "filters">): estypes.SearchRequest {
  return { query: allRows(filters), size: 0, track_total_hits: true };
}
