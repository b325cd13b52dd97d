import type { estypes } from "@elastic/elasticsearch";
import type { SignalsDocument } from "@tranche/read-models/documents/signals";

/** The fields with values that have names. */
export const VALUE_FIELDS = {
  category: "category_key",
  city: "city_key",
  technology: "tech_keys",
  country: "country",
} as const satisfies Record<string, keyof SignalsDocument>;
export type ValueType = keyof typeof VALUE_FIELDS;

/** Values in one answer: more would be too many buckets for Elasticsearch. */
export const VALUES_PAGE = 10_000;

/** Counts companies and their rounds for each value of a field, page by page; for a city, also the country of most of its companies. */
export function valueCounts(type: ValueType, after?: Record<string, estypes.FieldValue>): estypes.SearchRequest {
  const country = { terms: { field: VALUE_FIELDS.country, size: 1 } };
  return {
    size: 0,
    track_total_hits: false,
    aggs: {
      values: {
        composite: {
          size: VALUES_PAGE,
          sources: [{ value: { terms: { field: VALUE_FIELDS[type] } } }],
          ...(after && { after }),
        },
        aggs: { rounds: { sum: { field: "round_count" } }, ...(type === "city" && { country }) },
      },
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
