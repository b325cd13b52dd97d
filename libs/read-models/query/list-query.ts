import type { estypes } from "@elastic/elasticsearch";
import { clauses, type Filter, isTrue } from "./filters.ts";
import type { Order } from "./order.ts";
import { type RowPosition, searchAfter } from "./row-position.ts";

export type { Order, OrderedBy } from "./order.ts";

/** A page: `limit` rows after the first `offset`, or right after the row at a position; `offset` is 0 then. */
export type Page = { limit: number; offset: number; after?: RowPosition };

export type ListSearch = {
  filters: readonly Filter[];
  order: Order;
  idField: string;
  page: Page;
  source: readonly string[];
  /** Whether to count all rows, or up to how many. Behind that, Elasticsearch skips rows that come after the page. Default: true. */
  counted?: boolean | number;
};

/** The condition of the lists that leave out companies without a live signal. Gone documents are not listed either. */
export const LISTED = isTrue<{ listed: boolean }>("listed");

/** Conditions that must all hold and do not affect the score. */
export type AllOf = { bool: { filter: estypes.QueryDslQueryContainer[] } };

/** The query for all rows of a list that match the filters. */
export const allRows = (filters: readonly Filter[]): AllOf => ({
  bool: { filter: clauses(filters) },
});

/** A query with one more condition. */
export function also(query: AllOf, clause: estypes.QueryDslQueryContainer): AllOf {
  return { bool: { filter: [...query.bool.filter, clause] } };
}

/**
 * The search for one page of a list and, with `counted`, the count of all its rows. A page after a row without a value counts
 * only rows without one. Rows that are equal by `order` are ordered by the id in `idField`, ascending by code point.
 */
export function listQuery(parts: ListSearch): estypes.SearchRequest & { query: AllOf } {
  const { order, page, idField } = parts;
  const { after } = page;
  const { filter } = allRows(parts.filters).bool;
  const byValue = { [order.field]: { order: order.direction, missing: "_last" } } as const;
  const byId = { [idField]: { order: "asc" } } as const;
  // Elasticsearch has no `search_after` for a missing number: rows without a value are the last ones, and sorted by id alone.
  const amongMissing = after?.value === null;
  return {
    query: { bool: { filter: amongMissing ? [...filter, missing(order.field)] : filter } },
    sort: amongMissing ? [byId] : [byValue, byId],
    from: page.offset,
    size: page.limit,
    ...(after ? { search_after: searchAfter(order, after) } : {}),
    track_total_hits: parts.counted ?? true,
    _source: [...parts.source],
  };
}

/** The condition that a document has no value in a field. */
const missing = (field: string): estypes.QueryDslQueryContainer => ({
  bool: { must_not: { exists: { field } } },
});
