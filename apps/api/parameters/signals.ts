import { technologyKey, technologyName } from "@tranche/shared/technologies/technology";
import type { SignalsDocument } from "@tranche/read-models/documents/signals";
import { keyOf } from "@tranche/shared/text/key";
import type { DealTypes } from "@tranche/shared/vocabulary/deal-types";
import { allOf, anyOf, atLeast } from "@tranche/read-models/query/filters";
import type { Order } from "@tranche/read-models/query/list-query";
import { choice } from "./kinds/choice.ts";
import { names, technologies } from "./kinds/names.ts";
import { score } from "./kinds/numbers.ts";
import { countries, dealTypeList, signalKeys } from "./kinds/vocabularies.ts";
import { sort } from "./kinds/sort.ts";
import { paging } from "./paging.ts";
import { type OpenVocabulary, parameter, type ValuesOf } from "./parameter.ts";

/** The orders of the signals list. The first is the default. */
export const SIGNALS_SORTS = Object.freeze({
  signal_score_desc: { field: "signal_score", direction: "desc", by: "points" },
  signal_score_asc: { field: "signal_score", direction: "asc", by: "points" },
  latest_funding_desc: { field: "latest_announced_date", direction: "desc", by: "days" },
  latest_funding_asc: { field: "latest_announced_date", direction: "asc", by: "days" },
  amount_desc: { field: "latest_amount_usd", direction: "desc", by: "dollars" },
  amount_asc: { field: "latest_amount_usd", direction: "asc", by: "dollars" },
  name_asc: { field: "name_key", direction: "asc", by: "names" },
  name_desc: { field: "name_key", direction: "desc", by: "names" },
} satisfies Record<string, Order<SignalsDocument>>);

const SORT_NAMES = Object.keys(SIGNALS_SORTS) as [keyof typeof SIGNALS_SORTS];

const { name_asc, name_desc, signal_score_desc, latest_funding_desc, latest_funding_asc } = SIGNALS_SORTS;

/** The orders of the list of companies. The first is the default. */
export const COMPANIES_SORTS = Object.freeze({
  name_asc,
  name_desc,
  signal_score_desc,
  total_raised_desc: { field: "total_raised_usd", direction: "desc", by: "dollars" },
  total_raised_asc: { field: "total_raised_usd", direction: "asc", by: "dollars" },
  latest_funding_desc,
  latest_funding_asc,
  round_count_desc: { field: "round_count", direction: "desc", by: "points" },
} satisfies Record<string, Order<SignalsDocument>>);

const COMPANIES_SORT_NAMES = Object.keys(COMPANIES_SORTS) as [keyof typeof COMPANIES_SORTS];

/** `format` only shapes JSON. The Accept header chooses the media type. */
const MEDIA_NOTES = Object.freeze({
  csv: "For CSV send the header `Accept: text/csv`.",
  ndjson: "For NDJSON send the header `Accept: application/x-ndjson`.",
  jsonl: "For NDJSON send the header `Accept: application/x-ndjson`.",
  json: "Leave `format` out for JSON.",
});

/** Whether any item of a list is enough. The filters of those lists read it. */
const MATCHES = Object.freeze({
  signal_match: parameter({
    kind: choice(["any", "all"]),
    description: "Whether a company needs any of the signals asked for, or all.",
    example: "all",
    fallback: "any",
  }),
  tech_match: parameter({
    kind: choice(["any", "all"]),
    description: "Whether a company needs any of the technologies asked for, or all.",
    example: "all",
    fallback: "any",
  }),
});
type Matches = ValuesOf<typeof MATCHES>;

/** The filters of every list of companies, in the order of the documentation. */
function companyFilters(dealTypes: DealTypes) {
  return {
    signal: parameter({
      kind: signalKeys(),
      description: "Keys of the signal catalogue. Companies with any of them, or with all if `signal_match` is `all`.",
      example: "just_raised,hiring",
      filter: (keys, { signal_match }: Matches) =>
        (signal_match === "all" ? allOf : anyOf)<SignalsDocument>("signal_keys", keys),
    }),
    signal_match: MATCHES.signal_match,
    min_signal_score: parameter({
      kind: score(),
      description: "Lowest signal score, 0 to 100, inclusive.",
      example: "40",
      filter: (least) => atLeast<SignalsDocument>("signal_score", least),
    }),
    country: parameter({
      kind: countries(),
      description: "Countries: ISO 3166-1 alpha-2, alpha-3 or English name, in any case. Any of them.",
      example: "US,Germany",
      filter: (codes) => anyOf<SignalsDocument>("country", codes),
    }),
    city: parameter({
      kind: names(),
      description: "Cities; case, accents and punctuation do not matter. Any of them.",
      example: "San Francisco,Berlin",
      filter: (cities) => anyOf<SignalsDocument>("city_key", cities.map(keyOf)),
      open: {
        field: "city_key",
        key: keyOf,
        nobody: "No company is in the city",
      } satisfies OpenVocabulary<SignalsDocument>,
    }),
    category: parameter({
      kind: names(),
      description: "Categories; case, accents and punctuation do not matter. Any of them.",
      example: "software",
      filter: (categories) => anyOf<SignalsDocument>("category_key", categories.map(keyOf)),
      open: {
        field: "category_key",
        key: keyOf,
        nobody: "No company is in the category",
      } satisfies OpenVocabulary<SignalsDocument>,
    }),
    deal_type: parameter({
      kind: dealTypeList(dealTypes),
      description: "Deal types of the company's latest round; case, blanks and hyphens do not matter. Any of them.",
      example: "seed,series_a",
      filter: (types) => anyOf<SignalsDocument>("deal_type", types),
    }),
    tech_stack: parameter({
      kind: technologies(),
      description:
        "Technologies by name or alias (`node`, `Node.js`). Companies that use any of them, or all if `tech_match` is `all`. Write C++ as `C%2B%2B`.",
      example: "PostgreSQL,node",
      filter: (items, { tech_match }: Matches) =>
        (tech_match === "all" ? allOf : anyOf)<SignalsDocument>("tech_keys", items.map(technologyKey)),
      open: {
        field: "tech_keys",
        key: technologyKey,
        show: technologyName,
        nobody: "No company uses the technology",
      } satisfies OpenVocabulary<SignalsDocument>,
    }),
    tech_match: MATCHES.tech_match,
  };
}

const FORMAT = parameter({
  kind: choice(["default", "flat"], { notes: MEDIA_NOTES }),
  description: "`flat` returns one row of scalars per company, which spreadsheets can import.",
  example: "flat",
  fallback: "default",
  unfiltered: true,
});

const order = <const T extends string>(id: string, options: readonly [T, ...T[]], example: NoInfer<T>) =>
  parameter({
    kind: sort(id, options),
    description:
      "Order of the rows. Missing values are last in both directions; ties are ordered by the company's id. Names are compared by their key.",
    example,
    fallback: options[0],
  });

/** Every parameter of the list of companies, in the order of the documentation. */
export function companiesParameters(dealTypes: DealTypes) {
  return Object.freeze({
    ...companyFilters(dealTypes),
    format: FORMAT,
    sort: order("CompaniesSort", COMPANIES_SORT_NAMES, "total_raised_desc"),
    ...paging({
      path: "/api/v1/companies",
      sort: COMPANIES_SORT_NAMES[0],
      position: { value: "facebook", id: "co-facebook" },
    }),
  });
}

/** Every parameter of the signals list, in the order of the documentation. */
export function signalsParameters(dealTypes: DealTypes) {
  return Object.freeze({
    ...companyFilters(dealTypes),
    format: FORMAT,
    sort: order("SignalsSort", SORT_NAMES, "latest_funding_desc"),
    ...paging({
      path: "/api/v1/signals",
      sort: SORT_NAMES[0],
      position: { value: 50, id: "co-facebook" },
    }),
  });
}
