import type { FundingDocument } from "@tranche/read-models/documents/funding";
import { keyOf } from "@tranche/shared/text/key";
import type { DealTypes } from "@tranche/shared/vocabulary/deal-types";
import { anyOf, atLeast, atMost } from "@tranche/read-models/query/filters";
import type { Order } from "@tranche/read-models/query/list-query";
import { date } from "./kinds/date.ts";
import { names } from "./kinds/names.ts";
import { amount } from "./kinds/numbers.ts";
import { countries, dealTypeList } from "./kinds/vocabularies.ts";
import { sort } from "./kinds/sort.ts";
import { paging } from "./paging.ts";
import { type OpenVocabulary, parameter } from "./parameter.ts";

/** The orders of the funding list. The first is the default. */
export const FUNDING_SORTS = Object.freeze({
  announced_date_desc: { field: "announced_date", direction: "desc", by: "days" },
  announced_date_asc: { field: "announced_date", direction: "asc", by: "days", against: true },
  amount_desc: { field: "amount_usd", direction: "desc", by: "dollars" },
  amount_asc: { field: "amount_usd", direction: "asc", by: "dollars" },
} satisfies Record<string, Order<FundingDocument>>);

const SORT_NAMES = Object.keys(FUNDING_SORTS) as [keyof typeof FUNDING_SORTS];

/** Every parameter of the funding list, in the order of the documentation. */
export function fundingParameters(dealTypes: DealTypes) {
  return Object.freeze({
    country: parameter({
      kind: countries(),
      description: "Countries of the company: ISO 3166-1 alpha-2, alpha-3 or English name, in any case. Any of them.",
      example: "US,Germany",
      filter: (codes) => anyOf<FundingDocument>("country", codes),
    }),
    deal_types: parameter({
      kind: dealTypeList(dealTypes),
      description: "Deal types; case, blanks and hyphens do not matter. Any of them.",
      example: "seed,series_a",
      filter: (types) => anyOf<FundingDocument>("deal_type", types),
    }),
    investors: parameter({
      kind: names(),
      description:
        "Investors by name, slug or known alias; case, accents and punctuation do not matter. Rounds that any of them took part in.",
      example: "sequoia-capital,Accel Partners",
      filter: (investors) => anyOf<FundingDocument>("investor_keys", investors.map(keyOf)),
      open: {
        field: "investor_keys",
        key: keyOf,
        nobody: "No funding round has the investor",
      } satisfies OpenVocabulary<FundingDocument>,
    }),
    from: parameter({
      kind: date(),
      description: "First day on which rounds were announced, YYYY-MM-DD, inclusive.",
      example: "2013-01-01",
      filter: (day) => atLeast<FundingDocument>("announced_date", day),
      notAbove: "to",
    }),
    to: parameter({
      kind: date(),
      description: "Last day on which rounds were announced, YYYY-MM-DD, inclusive.",
      example: "2013-12-31",
      filter: (day) => atMost<FundingDocument>("announced_date", day),
    }),
    min_amount_usd: parameter({
      kind: amount(),
      description: "Lowest amount in US dollars, inclusive. Rounds of undisclosed amount do not match.",
      example: "1000000",
      filter: (dollars) => atLeast<FundingDocument>("amount_usd", dollars),
      notAbove: "max_amount_usd",
    }),
    max_amount_usd: parameter({
      kind: amount(),
      description: "Highest amount in US dollars, inclusive. Rounds of undisclosed amount do not match.",
      example: "50000000",
      filter: (dollars) => atMost<FundingDocument>("amount_usd", dollars),
    }),
    sort: parameter({
      kind: sort("FundingSort", SORT_NAMES),
      description: "Order of the rows. Missing values are last in both directions; ties are ordered by id.",
      example: "amount_desc",
      fallback: SORT_NAMES[0],
    }),
    ...paging({
      path: "/api/v1/funding",
      sort: SORT_NAMES[0],
      position: { value: "2013-05-01", id: "rnd-cb-natera-2013-05-01-1" },
    }),
  });
}
