import type { estypes } from "@elastic/elasticsearch";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";

/** The fields with values that have names. */
export const VALUE_FIELDS = {
  category: "category_key",
  city: "city_key",
  technology: "tech_keys",
  country: "country",
} as const satisfies Record<string, keyof CompanyDocument>;
export type ValueType = keyof typeof VALUE_FIELDS;

/** Values of a field in one answer: more would be too many buckets for Elasticsearch. */
export const VALUES_PAGE = 10_000;

/** Aggregations over the companies with one value: the sum of their rounds; for a city, also the country of most of them. */
function figuresOf(type: ValueType): Record<string, estypes.AggregationsAggregationContainer> {
  const country = { terms: { field: VALUE_FIELDS.country, size: 1 } };
  return {
    rounds: { sum: { field: "round_count" satisfies keyof CompanyDocument } },
    ...(type === "city" && { country }),
  };
}

const searchFor = (aggs: estypes.SearchRequest["aggs"] & object): estypes.SearchRequest => ({
  size: 0,
  track_total_hits: false,
  aggs,
});

/**
 * Counts companies and their rounds for the first 10,000 values of each field, by key. One search for all fields, because Elasticsearch
 * takes a third of the time of a composite aggregation for each.
 */
export function firstValues(types: readonly ValueType[]): estypes.SearchRequest {
  const counts = (type: ValueType) => ({
    terms: { field: VALUE_FIELDS[type], size: VALUES_PAGE, order: { _key: "asc" as const } },
    aggs: figuresOf(type),
  });
  return searchFor(Object.fromEntries(types.map((type) => [type, counts(type)])));
}

/** The same for the values of one field that follow `after`. */
export function furtherValues(type: ValueType, after: string): estypes.SearchRequest {
  const sources = [{ value: { terms: { field: VALUE_FIELDS[type] } } }];
  return searchFor({
    [type]: { composite: { size: VALUES_PAGE, sources, after: { value: after } }, aggs: figuresOf(type) },
  });
}

/** One company for each of these values of a field: its row has the value as people write it. */
export function spellings(field: string, keys: readonly string[]): estypes.SearchRequest {
  return {
    query: { terms: { [field]: [...keys] } },
    collapse: { field },
    sort: [{ company_id: { order: "asc" } }],
    size: keys.length,
    track_total_hits: false,
    _source: [field, "row"],
  };
}
