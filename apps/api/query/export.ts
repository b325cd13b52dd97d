import type { estypes } from "@elastic/elasticsearch";
import type { Filter } from "@tranche/read-models/query/filters";
import { allRows, also } from "@tranche/read-models/query/list-query";
import { ALL_IDS, drawnAtRandom, type IdRange, inRange, isAll } from "@tranche/shared/engines/search/id-ranges";

export type ExportSearch = { filters: readonly Filter[]; idField: string; source: readonly string[] };

/**
 * The search for one page of an export: the rows after `after`, by id ascending by code point. The first page counts all rows. `range`:
 * the same for several pages, so that Elasticsearch may keep its rows.
 */
export function exportPage(
  { filters, idField, source }: ExportSearch,
  size: number,
  after?: estypes.SortResults,
  range: IdRange = ALL_IDS,
): estypes.SearchRequest {
  const rows = allRows(filters);
  return {
    query: isAll(range) ? rows : also(rows, inRange(idField, range)),
    sort: [{ [idField]: { order: "asc" } }],
    size,
    track_total_hits: after === undefined,
    _source: [...source],
    ...(after === undefined ? {} : { search_after: after }),
  };
}

/** The search for the ids of rows drawn at random; each has its id as the second of its sort values. */
export function exportSample({ filters, idField }: ExportSearch, size: number): estypes.SearchRequest {
  return {
    query: drawnAtRandom(allRows(filters)),
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
