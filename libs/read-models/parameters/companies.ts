import type { CompanyDocument } from "../documents/companies.ts";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import type { Order } from "../query/list-query.ts";
import { nameFilter } from "../query/name-filter.ts";
import { companyFilters, FORMAT, order } from "./company-lists.ts";
import { searchText } from "./kinds/search-text.ts";
import { paging } from "./paging.ts";
import { parameter } from "./parameter.ts";
import { SIGNALS_SORTS } from "./signals.ts";

const { name_asc, name_desc, signal_score_desc, latest_funding_desc, latest_funding_asc, headcount_desc } =
  SIGNALS_SORTS;

/** The orders of the list of companies. The first is the default. */
export const COMPANIES_SORTS = Object.freeze({
  name_asc,
  name_desc,
  signal_score_desc,
  total_raised_desc: { field: "total_raised_usd", direction: "desc", by: "amounts" },
  total_raised_asc: { field: "total_raised_usd", direction: "asc", by: "amounts" },
  latest_funding_desc,
  latest_funding_asc,
  round_count_desc: { field: "round_count", direction: "desc", by: "points" },
  headcount_desc,
} satisfies Record<string, Order<CompanyDocument>>);

const COMPANIES_SORT_NAMES = Object.keys(COMPANIES_SORTS) as [keyof typeof COMPANIES_SORTS];

/** Finds as `/search` does, without tolerance for typing errors. */
const NAME = parameter({
  kind: searchText(),
  description:
    "Companies with this name, alias or domain, and those of which each word of it begins another word of the name or of an alias. 1 to 100 characters, at least one letter or digit.",
  example: "face",
  filter: (text) => nameFilter<CompanyDocument>(text, { keys: "company_keys", domain: "domain" }),
});

/** Every parameter of the list of companies, in the order of the documentation. */
export function companiesParameters(dealTypes: DealTypes) {
  return Object.freeze({
    q: NAME,
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
