import { AMOUNT_BANDS, type AmountBand, amountsOf } from "../documents/bands.ts";
import type { FundingDocument } from "../documents/funding.ts";
import type { CompanyDocument } from "../documents/companies.ts";
import { daysOf, type GroupSource } from "../query/groups.ts";
import { fitsItem } from "./kinds/list.ts";
import type { Values } from "./parameter.ts";

/** How the groups of a dimension are named. Some names are made of the key; those of `Spelled` have to be looked up. */
export type Naming = Spelled | "country" | "deal_type" | "signal" | "technology" | "amounts" | "scores" | "period";
export type Spelled = "category" | "city" | "company" | "investor";

/** One row per dimension (facet) that a list can be grouped by: grouping, naming, filters and docs come from it. */
export type Dimension = {
  source: GroupSource;
  naming: Naming;
  /** A row can be in several groups. */
  multiValued?: true;
  /** All keys in their order, where it is not that of code points. */
  order?: readonly string[];
  /** The values of the list's parameters that select a group of this key; undefined when none do. */
  select: (key: string) => Values | undefined;
  /** The parameters that select the rows without a value. */
  selectMissing?: Values;
};
/** A dimension of a field that the documents have. */
type DimensionOf<Document> = Dimension & { source: { field: keyof Document } };
export type Dimensions = Readonly<Record<string, Dimension>>;

const item = (parameter: string) => (key: string) => (fitsItem(key) ? { [parameter]: [key] } : undefined);

const period = (interval: "year" | "quarter" | "month"): DimensionOf<FundingDocument> => ({
  source: { field: "announced_date", interval },
  naming: "period",
  select: daysOf,
});

/** The dimensions of funding rounds. */
export const FUNDING_DIMENSIONS = Object.freeze({
  country: { source: { field: "country" }, naming: "country", select: item("country") },
  city: { source: { field: "city_key" }, naming: "city", select: item("city") },
  category: { source: { field: "category_key" }, naming: "category", select: item("category") },
  deal_type: { source: { field: "deal_type" }, naming: "deal_type", select: item("deal_types") },
  investor: {
    source: { field: "investor_ids" },
    naming: "investor",
    multiValued: true,
    select: item("investors"),
  },
  lead_investor: {
    source: { field: "lead_investor_ids" },
    naming: "investor",
    multiValued: true,
    select: item("lead_investors"),
  },
  company: { source: { field: "company_id" }, naming: "company", select: item("companies") },
  year: period("year"),
  quarter: period("quarter"),
  month: period("month"),
  amount_band: {
    source: { field: "amount_band" },
    naming: "amounts",
    order: Object.keys(AMOUNT_BANDS),
    select(band) {
      const { least, most } = amountsOf(band as AmountBand);
      return { min_amount_usd: least, ...(most === undefined ? {} : { max_amount_usd: most }) };
    },
    selectMissing: { disclosed: false },
  },
} satisfies Record<string, DimensionOf<FundingDocument>>);

/** The dimensions of companies with signals. */
export const SIGNALS_DIMENSIONS = Object.freeze({
  signal: { source: { field: "signal_keys" }, naming: "signal", multiValued: true, select: item("signal") },
  country: { source: { field: "country" }, naming: "country", select: item("country") },
  city: { source: { field: "city_key" }, naming: "city", select: item("city") },
  category: { source: { field: "category_key" }, naming: "category", select: item("category") },
  technology: { source: { field: "tech_keys" }, naming: "technology", multiValued: true, select: item("tech_stack") },
  deal_type: { source: { field: "deal_type" }, naming: "deal_type", select: item("deal_type") },
  score_band: {
    source: { field: "score_band" },
    naming: "scores",
    // The list has no highest score.
    select: (tens) => (tens === "90" ? { min_signal_score: 90 } : undefined),
  },
} satisfies Record<string, DimensionOf<CompanyDocument>>);
