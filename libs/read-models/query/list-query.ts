import type { estypes } from "@elastic/elasticsearch";
import { clauses, type Filter } from "./filters.ts";

/** What kind of values a field has that lists are ordered by. */
export type OrderedBy = "days" | "dollars" | "points" | "names";
/** What a list is ordered by; missing values come last in both directions. */
export type Order = {
  field: string;
  direction: "asc" | "desc";
  by: OrderedBy;
  /** Its first rows are the last of the index: each row on the way there would be taken for one of the first. */
  against?: true;
};
/** A page: `limit` rows after the first `offset`. */
export type Page = { limit: number; offset: number };

export type ListSearch = {
  filters: readonly Filter[];
  order: Order;
  idField: string;
  page: Page;
  source: readonly string[];
  /** Whether all rows have to be counted; where the count is known, a page in the order of the index ends early. */
  counted?: boolean;
};

/** Conditions all of which hold, none of which scores. */
export type AllOf = { bool: { filter: estypes.QueryDslQueryContainer[] } };

/**
 * The search for one page of a list and, where it is not known yet, the exact count of all its rows. The order is total:
 * after `order` comes the id in `idField`, ascending by code point.
 */
export function listQuery(parts: ListSearch): estypes.SearchRequest & { query: AllOf } {
  const { order, page } = parts;
  return {
    query: { bool: { filter: [{ term: { listed: true } }, ...clauses(parts.filters)] } },
    sort: [{ [order.field]: { order: order.direction, missing: "_last" } }, { [parts.idField]: { order: "asc" } }],
    from: page.offset,
    size: page.limit,
    track_total_hits: parts.counted ?? true,
    _source: [...parts.source],
  };
}
