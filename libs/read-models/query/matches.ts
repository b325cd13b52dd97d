import type { State } from "@tranche/shared/generations/changes";
import type { Filter } from "./filters.ts";

/** The filters as a predicate on a document's searched fields: true for exactly the documents that Elasticsearch finds by `clauses`. */
export function createMatches(filters: readonly Filter[]): (state: State) => boolean {
  const conditions = filters.map((filter) => {
    if ("anyOf" in filter) {
      const values = new Set<unknown>(filter.anyOf);
      return (value: unknown) => (Array.isArray(value) ? value.some((one) => values.has(one)) : values.has(value));
    }
    const { bound, value: limit } = filter;
    // Numbers, or days as YYYY-MM-DD: each compares with its like.
    return (value: unknown) =>
      typeof value === typeof limit &&
      (bound === "gte" ? (value as typeof limit) >= limit : (value as typeof limit) <= limit);
  });
  return (state) => conditions.every((condition, i) => condition(state[filters[i]!.field]));
}
