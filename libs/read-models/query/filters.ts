import type { estypes } from "@elastic/elasticsearch";

type Bound = "gte" | "lte";

/** One condition of a search. All of a search's conditions must hold. */
export type Filter =
  | { anyOf: readonly string[]; field: string }
  | { bound: Bound; value: number | string; field: string };

/** The field has one of these values. */
export const anyOf = (field: string, values: readonly string[]): Filter[] => [{ field, anyOf: values }];
/** The field has all of these values. */
export const allOf = (field: string, values: readonly string[]): Filter[] =>
  values.map((value) => ({ field, anyOf: [value] }));
/** The field has a value, and it is this or above. */
export const atLeast = (field: string, value: number | string): Filter[] => [{ field, bound: "gte", value }];
/** The field has a value, and it is this or below. */
export const atMost = (field: string, value: number | string): Filter[] => [{ field, bound: "lte", value }];

/** Clauses for filter context, one a condition; both bounds of a field are one range. */
export function clauses(filters: readonly Filter[]): estypes.QueryDslQueryContainer[] {
  const ranges = new Map<string, Partial<Record<Bound, number | string>>>();
  const found: estypes.QueryDslQueryContainer[] = [];
  for (const filter of filters) {
    if ("anyOf" in filter) {
      found.push({ terms: { [filter.field]: [...filter.anyOf] } });
    } else {
      const range = ranges.get(filter.field) ?? {};
      if (!ranges.has(filter.field))
        found.push({ range: { [filter.field]: range as estypes.QueryDslUntypedRangeQuery } });
      ranges.set(filter.field, range);
      range[filter.bound] = filter.value;
    }
  }
  return found;
}
