import type { InvestorDocument } from "../documents/investors.ts";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { atLeast, between } from "../query/filters.ts";
import { nameFilter } from "../query/name-filter.ts";
import type { Order } from "../query/list-query.ts";
import { valueKeys } from "./item-keys.ts";
import { date } from "./kinds/date.ts";
import { names } from "./kinds/names.ts";
import { count } from "./kinds/numbers.ts";
import { searchText } from "./kinds/search-text.ts";
import { countries, dealTypeList } from "./kinds/vocabularies.ts";
import { sort } from "./kinds/sort.ts";
import { listFilters } from "./list-filters.ts";
import { paging } from "./paging.ts";
import { type OpenVocabulary, parameter } from "./parameter.ts";

/** The orders of the investors list. The first is the default. */
export const INVESTORS_SORTS = Object.freeze({
  round_count_desc: { field: "round_count", direction: "desc", by: "points" },
  lead_count_desc: { field: "lead_count", direction: "desc", by: "points" },
  company_count_desc: { field: "company_count", direction: "desc", by: "points" },
  latest_round_desc: { field: "latest_round_date", direction: "desc", by: "days" },
  name_asc: { field: "name_key", direction: "asc", by: "names", against: true },
} satisfies Record<string, Order<InvestorDocument>>);

const SORT_NAMES = Object.keys(INVESTORS_SORTS) as [keyof typeof INVESTORS_SORTS];

const KINDS = {
  field: "kind_key",
  keys: valueKeys,
  nobody: "No investor is of the kind",
} satisfies OpenVocabulary<InvestorDocument>;
const CATEGORIES = {
  field: "category_keys",
  keys: valueKeys,
  nobody: "No investor took part in a round of a company in the category",
} satisfies OpenVocabulary<InvestorDocument>;

/** Days before and after all others. */
const [FIRST_DAY, LAST_DAY] = ["0001-01-01", "9999-12-31"];

type Window = Readonly<{ from?: string; to?: string }>;

/** Every parameter of the investors list, in the order of the documentation. */
export function investorsParameters(dealTypes: DealTypes) {
  return Object.freeze({
    q: parameter({
      kind: searchText(),
      description:
        "Investors with this name or alias, and those of which each word of it begins another word of the name or of an alias. 1 to 100 characters, at least one letter or digit.",
      example: "sequoia",
      filter: (text) => nameFilter<InvestorDocument>(text, { keys: "investor_keys" }),
    }),
    country: parameter({
      kind: countries(),
      description: "Countries of the investor: ISO 3166-1 alpha-2, alpha-3 or English name, in any case. Any of them.",
      example: "GB,Israel",
      filter: (codes) => listFilters<InvestorDocument>({ field: "country" }, codes),
    }),
    kind: parameter({
      kind: names(),
      description:
        "Kinds of investors, as their sources name them, such as `venture` or `accelerator`; case, accents and punctuation do not matter. Any of them.",
      example: "venture,accelerator",
      filter: (kinds) => listFilters(KINDS, kinds),
      open: KINDS,
    }),
    category: parameter({
      kind: names(),
      description:
        "Categories of companies; case, accents and punctuation do not matter. Investors with a round in any of them.",
      example: "software",
      filter: (categories) => listFilters(CATEGORIES, categories),
      open: CATEGORIES,
    }),
    deal_types: parameter({
      kind: dealTypeList(dealTypes),
      description: "Deal types; case, blanks and hyphens do not matter. Investors with a round of any of them.",
      example: "seed,series_a",
      filter: (types) => listFilters<InvestorDocument>({ field: "deal_types" }, types),
    }),
    from: parameter({
      kind: date(),
      description:
        "First day, YYYY-MM-DD, inclusive: investors with a round that was announced on it or later, and not after `to` if that is given.",
      example: "2013-01-01",
      // One round has to be within both bounds.
      filter: (from, { to = LAST_DAY }: Window) => between<InvestorDocument>("round_dates", from, to),
      notAbove: "to",
    }),
    to: parameter({
      kind: date(),
      description:
        "Last day, YYYY-MM-DD, inclusive: investors with a round that was announced on it or earlier, and not before `from` if that is given.",
      example: "2013-12-31",
      filter: (to, { from }: Window) =>
        from === undefined ? between<InvestorDocument>("round_dates", FIRST_DAY, to) : [],
    }),
    min_round_count: parameter({
      kind: count(),
      description: "Fewest rounds that an investor took part in.",
      example: "10",
      filter: (least) => atLeast<InvestorDocument>("round_count", least),
    }),
    sort: parameter({
      kind: sort("InvestorsSort", SORT_NAMES),
      description:
        "Order of the rows. Missing values are last; ties are ordered by the investor's id. Names are compared by their key.",
      example: "lead_count_desc",
      fallback: SORT_NAMES[0],
    }),
    ...paging({
      path: "/api/v1/investors",
      sort: SORT_NAMES[0],
      position: { value: 312, id: "inv-sv-angel" },
    }),
  });
}
