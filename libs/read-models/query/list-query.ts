import type { estypes } from "@elastic/elasticsearch";
import { clauses, type Filter } from "./filters.ts";

/** The kind of values in the field that orders a list. */
export type OrderedBy = "days" | "dollars" | "points" | "names";
/** The order of a list, by a field of its documents. Missing values come last in both directions. */
export type Order<Document = Record<string, unknown>> = {
  field: keyof Document & string;
  direction: "asc" | "desc";
  by: OrderedBy;
  /** The index is sorted the other way, so Elasticsearch would collect every document before it finds the first page. */
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
  /** Whether to count all rows. Without counting, a page in the order of the index ends early. Default: true. */
  counted?: boolean;
};

/** Conditions that must all hold and do not affect the score. */
export type AllOf = { bool: { filter: estypes.QueryDslQueryContainer[] } };

/**
 * The search for one page of a list and, with `counted`, the exact count of all its rows. Rows that are equal by `order` are ordered
 * by the id in `idField`, ascending by code point.
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
