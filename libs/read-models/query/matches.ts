import type { State } from "@tranche/shared/protocol/generations/changes";
import { prefixesByName } from "../documents/names.ts";
import type { Filter } from "./filters.ts";
import { hasPrefixes, wordsNeeded } from "./name-match.ts";

type Matches = (state: State) => boolean;

/** The filters as a predicate on a document's searched fields: true for exactly the documents that Elasticsearch finds by `clauses`. */
export function createMatches(filters: readonly Filter[]): Matches {
  const conditions = filters.map(conditionOf);
  return (state) => conditions.every((condition) => condition(state));
}

function conditionOf(filter: Filter): Matches {
  if ("either" in filter) {
    const alternatives = filter.either.map(conditionOf);
    return (state) => alternatives.some((alternative) => alternative(state));
  }
  const test = testOf(filter);
  return (state) => test(state[filter.field]);
}

function testOf(filter: Exclude<Filter, { either: unknown }>): (value: unknown) => boolean {
  if ("anyOf" in filter) return hasOneOf(filter.anyOf);
  if ("noneOf" in filter) {
    const excluded = hasOneOf(filter.noneOf);
    return (value) => !excluded(value);
  }
  if ("exists" in filter) return (value) => valuesOf(value).length > 0 === filter.exists;
  if ("is" in filter) return (value) => value === filter.is;
  if ("begins" in filter) {
    const needed = wordsNeeded(filter.begins);
    return (value) => typeof value === "string" && prefixesByName(value).some((name) => hasPrefixes(name, needed));
  }
  if ("from" in filter) {
    const { from, to } = filter;
    return (value) => valuesOf(value).some((one) => typeof one === "string" && one >= from && one <= to);
  }
  const { bound, value: limit } = filter;
  // Numbers, or days as YYYY-MM-DD: each compares with its like.
  return (value) =>
    typeof value === typeof limit &&
    (bound === "gte" ? (value as typeof limit) >= limit : (value as typeof limit) <= limit);
}

function hasOneOf(wanted: readonly string[]): (value: unknown) => boolean {
  const values = new Set<unknown>(wanted);
  return (value) => (Array.isArray(value) ? value.some((one) => values.has(one)) : values.has(value));
}

/** The values of a field as Elasticsearch indexes them: null and an empty list are none. */
function valuesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === null || value === undefined ? [] : [value];
}
