import type { estypes } from "@elastic/elasticsearch";
import type { Filter } from "@tranche/read-models/query/filters";
import { allRows } from "@tranche/read-models/query/list-query";

export type ExportSearch = { filters: readonly Filter[]; idField: string; source: readonly string[] };

/** The search for one page of an export: the rows after `after`, by id ascending by code point. The first page counts all rows. */
export function exportPage(
  { filters, idField, source }: ExportSearch,
  size: number,
  after?: estypes.SortResults,
): estypes.SearchRequest {
  return {
    query: allRows(filters),
    sort: [{ [idField]: { order: "asc" } }],
    size,
    track_total_hits: after === undefined,
    _source: [...source],
    ...(after === undefined ? {} : { search_after: after }),
  };
}

/** The search for the number of rows of an export. */
export function exportCount({ filters }: Pick<ExportSearch, "filters">): estypes.SearchRequest {
  return { query: allRows(filters), size: 0, track_total_hits: true };
}
