import type { estypes } from "@elastic/elasticsearch";
import type { Names } from "../documents/names.ts";
import { beginsWordsClause } from "./words-clause.ts";

type Bound = "gte" | "lte";

/** One condition of a search, as plain data: caches keep filters as JSON. All of a search's conditions must hold. */
export type Filter =
  | { anyOf: readonly string[]; field: string }
  | { noneOf: readonly string[]; field: string }
  | { exists: boolean; field: string }
  | { is: boolean; field: string }
  | { begins: readonly string[]; field: string }
  | { bound: Bound; value: number | string; field: string }
  | { from: string; to: string; field: string }
  | { either: readonly Filter[] };

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

/** The field has none of these values. A field without a value matches. */
export function noneOf<Document>(field: FieldOf<NoInfer<Document>, string>, values: readonly string[]): Filter[] {
  return [{ field, noneOf: values }];
}

/** The field has a value, or, with `false`, it has none. An empty list is not a value. */
export function hasValue<Document>(field: FieldOf<NoInfer<Document>, number | string>, exists: boolean): Filter[] {
  return [{ field, exists }];
}

/** The field is true. */
export function isTrue<Document>(field: FieldOf<NoInfer<Document>, boolean>): Filter[] {
  return [{ field, is: true }];
}

/** Each of these words begins another word of the same name. */
export function beginWords(words: readonly string[]): Filter[] {
  const field: keyof Names = "name_prefixes";
  return [{ field, begins: words }];
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

/** One value of the field is between these texts, both included. Texts are in the order of ASCII. */
export function between<Document>(field: FieldOf<NoInfer<Document>, string>, from: string, to: string): Filter[] {
  return [{ field, from, to }];
}

/** At least one of these conditions holds. */
export function either(conditions: readonly Filter[]): Filter[] {
  return conditions.length === 1 ? [...conditions] : [{ either: conditions }];
}

/** Clauses for filter context, one per condition. A lower and an upper bound of a field become one range. */
export function clauses(filters: readonly Filter[]): estypes.QueryDslQueryContainer[] {
  type Range = Partial<Record<Bound, number | string>>;
  const ranges = new Map<string, Range>();
  const found: estypes.QueryDslQueryContainer[] = [];
  for (const filter of filters) {
    if (!("bound" in filter)) {
      found.push(clause(filter));
      continue;
    }
    const { field, bound, value } = filter;
    const other = ranges.get(field);
    if (other && other[bound] === undefined) {
      other[bound] = value;
    } else {
      const range: Range = { [bound]: value };
      ranges.set(field, range);
      found.push({ range: { [field]: range as estypes.QueryDslUntypedRangeQuery } });
    }
  }
  return found;
}

function clause(filter: Exclude<Filter, { bound: Bound }>): estypes.QueryDslQueryContainer {
  if ("either" in filter) return { bool: { should: clausesOfEach(filter.either), minimum_should_match: 1 } };
  const { field } = filter;
  if ("anyOf" in filter) return { terms: { [field]: [...filter.anyOf] } };
  if ("noneOf" in filter) return { bool: { must_not: { terms: { [field]: [...filter.noneOf] } } } };
  if ("is" in filter) return { term: { [field]: filter.is } };
  if ("begins" in filter) return beginsWordsClause(field, filter.begins);
  if ("from" in filter) return { range: { [field]: { gte: filter.from, lte: filter.to } } };
  return filter.exists ? { exists: { field } } : { bool: { must_not: { exists: { field } } } };
}

const clausesOfEach = (filters: readonly Filter[]) => filters.flatMap((filter) => clauses([filter]));
