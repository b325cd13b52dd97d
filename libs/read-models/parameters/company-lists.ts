import { technologyKey, technologyName } from "@tranche/shared/domain/technologies/technology";
import { signalDetection, type CompanyDocument } from "../documents/companies.ts";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { atLeast, atMost, between, either, type Filter } from "../query/filters.ts";
import { companyItemKeys, investorItemKeys, valueKeys } from "./item-keys.ts";
import { choice } from "./kinds/choice.ts";
import { date } from "./kinds/date.ts";
import { type ListItem, parted } from "./kinds/list-item.ts";
import { names, namesOrIds, technologies } from "./kinds/names.ts";
import { amount, count, score, year } from "./kinds/numbers.ts";
import { countries, dealTypeList, signalKeys } from "./kinds/vocabularies.ts";
import { sort } from "./kinds/sort.ts";
import { listFilters } from "./list-filters.ts";
import { type OpenVocabulary, parameter, type ValuesOf } from "./parameter.ts";

/** The common parameters of the two lists of companies, `/signals` and `/companies`. */

/** Whether any item of a list is enough. The filters of those lists read it. */
const MATCHES = Object.freeze({
  signal_match: parameter({
    kind: choice(["any", "all"]),
    description: "Whether a company needs any of the signals asked for, or all.",
    example: "all",
    fallback: "any",
  }),
  investors_match: parameter({
    kind: choice(["any", "all"]),
    description: "Whether a company needs any of the investors asked for, or all.",
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

const COMPANIES = {
  field: "company_keys",
  ids: "company_id",
  keys: companyItemKeys,
  nobody: "There is no company",
} satisfies OpenVocabulary<CompanyDocument>;
const CITIES = {
  field: "city_key",
  keys: valueKeys,
  nobody: "No company is in the city",
} satisfies OpenVocabulary<CompanyDocument>;
const CATEGORIES = {
  field: "category_key",
  keys: valueKeys,
  nobody: "No company is in the category",
} satisfies OpenVocabulary<CompanyDocument>;
const INVESTORS = {
  field: "investor_keys",
  ids: "investor_ids",
  keys: investorItemKeys,
  nobody: "No company has the investor",
} satisfies OpenVocabulary<CompanyDocument>;
const TECHNOLOGIES = {
  field: "tech_keys",
  keys: (name) => [technologyKey(name)],
  show: technologyName,
  nobody: "No company uses the technology",
} satisfies OpenVocabulary<CompanyDocument>;

/** The filters of every list of companies, in the order of the documentation. */
export function companyFilters(dealTypes: DealTypes) {
  return {
    signal: parameter({
      kind: signalKeys(),
      description: "Keys of the signal catalogue. Companies with any of them, or with all if `signal_match` is `all`.",
      example: "just_raised,hiring",
      filter: (keys, { signal_match }: Matches) =>
        listFilters<CompanyDocument>({ field: "signal_keys" }, keys, signal_match),
    }),
    signal_match: MATCHES.signal_match,
    detected_since: parameter({
      kind: date(),
      description:
        "Companies with a live signal that was detected on this day or later, YYYY-MM-DD; one of those in `signal`, if it is given, or all of them if `signal_match` is `all`.",
      example: "2013-10-01",
      filter: detectedSince,
    }),
    min_signal_score: parameter({
      kind: score(),
      description: "Lowest signal score, 0 to 100, inclusive.",
      example: "40",
      filter: (least) => atLeast<CompanyDocument>("signal_score", least),
    }),
    country: parameter({
      kind: countries(),
      description: "Countries: ISO 3166-1 alpha-2, alpha-3 or English name, in any case. Any of them.",
      example: "US,Germany",
      filter: (codes) => listFilters<CompanyDocument>({ field: "country" }, codes),
    }),
    city: parameter({
      kind: names(),
      description: "Cities; case, accents and punctuation do not matter. Any of them.",
      example: "San Francisco,Berlin",
      filter: (cities) => listFilters(CITIES, cities),
      open: CITIES,
    }),
    category: parameter({
      kind: names(),
      description: "Categories; case, accents and punctuation do not matter. Any of them.",
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
    deal_type: parameter({
      kind: dealTypeList(dealTypes),
      description: "Deal types of the company's latest round; case, blanks and hyphens do not matter. Any of them.",
      example: "seed,series_a",
      filter: (types) => listFilters<CompanyDocument>({ field: "deal_type" }, types),
    }),
    investors: parameter({
      kind: namesOrIds(),
      description:
        "Investors in any of the company's rounds, by id, name, slug or known alias; except in ids, case, accents and punctuation do not matter. Any of them, or all if `investors_match` is `all`.",
      example: "sequoia-capital,Accel Partners",
      filter: (investors, { investors_match }: Matches) => listFilters(INVESTORS, investors, investors_match),
      open: INVESTORS,
    }),
    investors_match: MATCHES.investors_match,
    from: parameter({
      kind: date(),
      description: "First day on which the latest round was announced, YYYY-MM-DD, inclusive.",
      example: "2013-01-01",
      filter: (day) => atLeast<CompanyDocument>("latest_announced_date", day),
      notAbove: "to",
    }),
    to: parameter({
      kind: date(),
      description: "Last day on which the latest round was announced, YYYY-MM-DD, inclusive.",
      example: "2013-12-31",
      filter: (day) => atMost<CompanyDocument>("latest_announced_date", day),
    }),
    min_amount_usd: parameter({
      kind: amount(),
      description: "Lowest amount of the latest round in US dollars, inclusive. Undisclosed amounts do not match.",
      example: "1000000",
      filter: (dollars) => atLeast<CompanyDocument>("latest_amount_usd", dollars),
      notAbove: "max_amount_usd",
    }),
    max_amount_usd: parameter({
      kind: amount(),
      description: "Highest amount of the latest round in US dollars, inclusive. Undisclosed amounts do not match.",
      example: "50000000",
      filter: (dollars) => atMost<CompanyDocument>("latest_amount_usd", dollars),
    }),
    min_total_raised_usd: parameter({
      kind: amount(),
      description:
        "Lowest sum of the disclosed amounts of all rounds in US dollars, inclusive. Companies without one do not match.",
      example: "10000000",
      filter: (dollars) => atLeast<CompanyDocument>("total_raised_usd", dollars),
      notAbove: "max_total_raised_usd",
    }),
    max_total_raised_usd: parameter({
      kind: amount(),
      description:
        "Highest sum of the disclosed amounts of all rounds in US dollars, inclusive. Companies without one do not match.",
      example: "500000000",
      filter: (dollars) => atMost<CompanyDocument>("total_raised_usd", dollars),
    }),
    min_round_count: parameter({
      kind: count(),
      description: "Lowest number of rounds, inclusive.",
      example: "3",
      filter: (least) => atLeast<CompanyDocument>("round_count", least),
    }),
    min_headcount: parameter({
      kind: count(),
      description: "Lowest number of people (headcount), inclusive. Companies of unknown size do not match.",
      example: "50",
      filter: (least) => atLeast<CompanyDocument>("headcount", least),
      notAbove: "max_headcount",
    }),
    max_headcount: parameter({
      kind: count(),
      description: "Highest number of people (headcount), inclusive. Companies of unknown size do not match.",
      example: "200",
      filter: (most) => atMost<CompanyDocument>("headcount", most),
    }),
    min_founded_year: parameter({
      kind: year(),
      description: "First year in which a company was founded, inclusive. Companies of unknown age do not match.",
      example: "2005",
      filter: (first) => atLeast<CompanyDocument>("founded_year", first),
      notAbove: "max_founded_year",
    }),
    max_founded_year: parameter({
      kind: year(),
      description: "Last year in which a company was founded, inclusive. Companies of unknown age do not match.",
      example: "2012",
      filter: (last) => atMost<CompanyDocument>("founded_year", last),
    }),
    tech_stack: parameter({
      kind: technologies(),
      description:
        "Technologies by name or alias (`node`, `Node.js`). Companies that use any of them, or all if `tech_match` is `all`. In a URL, C++ is `C%2B%2B`.",
      example: "PostgreSQL,node",
      filter: (items, { tech_match }: Matches) => listFilters(TECHNOLOGIES, items, tech_match),
      open: TECHNOLOGIES,
    }),
    tech_match: MATCHES.tech_match,
  };
}

/** `format` only shapes JSON. The Accept header chooses the media type. */
const MEDIA_NOTES = Object.freeze({
  csv: "For CSV send the header `Accept: text/csv`.",
  ndjson: "For NDJSON send the header `Accept: application/x-ndjson`.",
  jsonl: "For NDJSON send the header `Accept: application/x-ndjson`.",
  json: "Leave `format` out for JSON.",
});

/** The form of JSON rows. */
export const FORMAT = parameter({
  kind: choice(["default", "flat"], { notes: MEDIA_NOTES }),
  description: "`flat` returns one row of scalars per company, which spreadsheets can import.",
  example: "flat",
  fallback: "default",
  unfiltered: true,
});

/** The parameter of the order. `id`: its name in the OpenAPI document. The first of the options is the default. */
export const order = <const T extends string>(id: string, options: readonly [T, ...T[]], example: NoInfer<T>) =>
  parameter({
    kind: sort(id, options),
    description:
      "Order of the rows. Missing values are last in both directions; ties are ordered by the company's id. Names are compared by their key.",
    example,
    fallback: options[0],
  });

const LAST_DAY = "9999-12-31";

/** A live signal, or one of the keys asked for, or all of them, was detected on the day or later. */
function detectedSince(day: string, { signal = [], signal_match }: Matches & { signal?: ListItem[] }): Filter[] {
  const { plain } = parted(signal);
  if (plain.length === 0) return atLeast<CompanyDocument>("newest_detected_at", day);
  const detections = plain.flatMap((key) =>
    between<CompanyDocument>("signal_detections", signalDetection(key, day), signalDetection(key, LAST_DAY)),
  );
  return signal_match === "all" ? detections : either(detections);
}
