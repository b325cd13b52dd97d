import type { estypes } from "@elastic/elasticsearch";
import type { SignalsDocument } from "@tranche/read-models/documents/signals";
import { MAX_VALUES } from "./vocabulary.ts";

/** The fields with values that have names. */
export const VALUE_FIELDS = {
  category: "category_key",
  city: "city_key",
  technology: "tech_keys",
  country: "country",
} as const satisfies Record<string, keyof SignalsDocument>;
export type ValueType = keyof typeof VALUE_FIELDS;

/** Counts companies and their rounds for each value of each field; for a city, also the country of most of its companies. */
export function valueCounts(): estypes.SearchRequest {
  const rounds = { sum: { field: "round_count" } };
  const values = (type: ValueType, others: Record<string, estypes.AggregationsAggregationContainer> = {}) => ({
    terms: { field: VALUE_FIELDS[type], size: MAX_VALUES },
    aggs: { rounds, ...others },
  });
  return {
    size: 0,
    track_total_hits: false,
    aggs: {
      category: values("category"),
      city: values("city", { country: { terms: { field: "country", size: 1 } } }),
      technology: values("technology"),
      country: values("country"),
    },
  };
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
