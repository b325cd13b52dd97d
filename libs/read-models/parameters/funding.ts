import type { FundingDocument } from "../documents/funding.ts";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { atLeast, atMost, hasValue } from "../query/filters.ts";
import type { Order } from "../query/list-query.ts";
import { companyItemKeys, investorItemKeys, valueKeys } from "./item-keys.ts";
import { choice } from "./kinds/choice.ts";
import { date } from "./kinds/date.ts";
import { flag } from "./kinds/flag.ts";
import { names, namesOrIds } from "./kinds/names.ts";
import { amount } from "./kinds/numbers.ts";
import { countries, dealTypeList } from "./kinds/vocabularies.ts";
import { sort } from "./kinds/sort.ts";
import { listFilters } from "./list-filters.ts";
import { paging } from "./paging.ts";
import { type OpenVocabulary, parameter, type ValuesOf } from "./parameter.ts";

/** The orders of the funding list. The first is the default. */
export const FUNDING_SORTS = Object.freeze({
  announced_date_desc: { field: "announced_date", direction: "desc", by: "days" },
  announced_date_asc: { field: "announced_date", direction: "asc", by: "days", against: true },
  amount_desc: { field: "amount_usd", direction: "desc", by: "amounts" },
  amount_asc: { field: "amount_usd", direction: "asc", by: "amounts" },
} satisfies Record<string, Order<FundingDocument>>);

const SORT_NAMES = Object.keys(FUNDING_SORTS) as [keyof typeof FUNDING_SORTS];

/** Whether any item of a list is enough. The filter of that list reads it. */
const MATCHES = Object.freeze({
  investors_match: parameter({
    kind: choice(["any", "all"]),
    description: "Whether a round needs any of the investors asked for, or all.",
    example: "all",
    fallback: "any",
  }),
});
type Matches = ValuesOf<typeof MATCHES>;

const COMPANIES = {
  field: "company_keys",
  ids: "company_id",
  keys: companyItemKeys,
  nobody: "No funding round is of the company",
} satisfies OpenVocabulary<FundingDocument>;
const INVESTORS = {
  field: "investor_keys",
  ids: "investor_ids",
  keys: investorItemKeys,
  nobody: "No funding round has the investor",
} satisfies OpenVocabulary<FundingDocument>;
const LEAD_INVESTORS = {
  field: "lead_investor_keys",
  ids: "lead_investor_ids",
  keys: investorItemKeys,
  nobody: "No funding round has the lead investor",
} satisfies OpenVocabulary<FundingDocument>;
const CITIES = {
  field: "city_key",
  keys: valueKeys,
  nobody: "No funding round is of a company in the city",
} satisfies OpenVocabulary<FundingDocument>;
const CATEGORIES = {
  field: "category_key",
  keys: valueKeys,
  nobody: "No funding round is of a company in the category",
} satisfies OpenVocabulary<FundingDocument>;

/** Every parameter of the funding list, in the order of the documentation. */
export function fundingParameters(dealTypes: DealTypes) {
  return Object.freeze({
    country: parameter({
      kind: countries(),
      description: "Countries of the company: ISO 3166-1 alpha-2, alpha-3 or English name, in any case. Any of them.",
      example: "US,Germany",
      filter: (codes) => listFilters<FundingDocument>({ field: "country" }, codes),
    }),
    city: parameter({
      kind: names(),
      description: "Cities of the company; case, accents and punctuation do not matter. Any of them.",
      example: "San Francisco,Boston",
      filter: (cities) => listFilters(CITIES, cities),
      open: CITIES,
    }),
    category: parameter({
      kind: names(),
      description: "Categories of the company; case, accents and punctuation do not matter. Any of them.",
      example: "software",
      filter: (categories) => listFilters(CATEGORIES, categories),
      open: CATEGORIES,
    }),
    companies: parameter({
      kind: namesOrIds(),
      description:
        "Companies by id, name, slug, known alias or domain; except in ids, case, accents and punctuation do not matter. Any of them.",
      example: "facebook,Twitter",
      filter: (companies) => listFilters(COMPANIES, companies),
      open: COMPANIES,
    }),
    deal_types: parameter({
      kind: dealTypeList(dealTypes),
      description: "Deal types; case, blanks and hyphens do not matter. Any of them.",
      example: "seed,series_a",
      filter: (types) => listFilters<FundingDocument>({ field: "deal_type" }, types),
    }),
    investors: parameter({
      kind: namesOrIds(),
      description:
        "Investors by id, name, slug or known alias; except in ids, case, accents and punctuation do not matter. Rounds that any of them took part in, or all if `investors_match` is `all`.",
      example: "sequoia-capital,Accel Partners",
      filter: (investors, { investors_match }: Matches) => listFilters(INVESTORS, investors, investors_match),
      open: INVESTORS,
    }),
    investors_match: MATCHES.investors_match,
    lead_investors: parameter({
      kind: namesOrIds(),
      description: "Investors that led the round, written as in `investors`. Any of them.",
      example: "Bellwater Capital",
      filter: (investors) => listFilters(LEAD_INVESTORS, investors),
      open: LEAD_INVESTORS,
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
    disclosed: parameter({
      kind: flag(),
      description: "`true` for rounds whose amount is disclosed, `false` for the others.",
      example: "true",
      filter: (disclosed) => hasValue<FundingDocument>("amount_usd", disclosed),
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
