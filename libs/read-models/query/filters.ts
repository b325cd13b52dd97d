import type { estypes } from "@elastic/elasticsearch";

type Bound = "gte" | "lte";

/** One condition of a search. All of a search's conditions must hold. */
export type Filter =
  | { anyOf: readonly string[]; field: string }
  | { bound: Bound; value: number | string; field: string };

/** Names of the fields of a document that hold values of this type: one value, a list of them, or null. */
export type FieldOf<Document, Value> = keyof {
  [Name in keyof Document & string as Document[Name] extends Value | readonly Value[] | null ? Name : never]: never;
} &
  string;

/*
 * Callers name the document, as in `anyOf<FundingDocument>("country", ["US"])`, so that a misspelt field does not compile. Without
 * `NoInfer` TypeScript would infer a document that has the field.
 */

/** The field has one of these values. */
export function anyOf<Document>(field: FieldOf<NoInfer<Document>, string>, values: readonly string[]): Filter[] {
  return [{ field, anyOf: values }];
}

/** The field has all of these values. */
export function allOf<Document>(field: FieldOf<NoInfer<Document>, string>, values: readonly string[]): Filter[] {
  return values.map((value) => ({ field, anyOf: [value] }));
}

/** The field has a value, and it is `value` or above. Days are YYYY-MM-DD. */
export function atLeast<Document>(field: FieldOf<NoInfer<Document>, number>, value: number): Filter[];
export function atLeast<Document>(field: FieldOf<NoInfer<Document>, string>, value: string): Filter[];
export function atLeast(field: string, value: number | string): Filter[] {
  return [{ field, bound: "gte", value }];
}

/** The field has a value, and it is `value` or below. Days are YYYY-MM-DD. */
export function atMost<Document>(field: FieldOf<NoInfer<Document>, number>, value: number): Filter[];
export function atMost<Document>(field: FieldOf<NoInfer<Document>, string>, value: string): Filter[];
export function atMost(field: string, value: number | string): Filter[] {
  return [{ field, bound: "lte", value }];
}

/** Clauses for filter context, one per condition. Both bounds of a field become one range. */
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
