import type { FundingDocument } from "@tranche/read-models/documents/funding";
import { countCompanies } from "./companies.ts";
import { textOf } from "./groups-page.ts";
import type { Figures, Summary } from "./summary.ts";

/** The details of the rounds of a group beside its tally. */
export type FundingDetails = {
  /** Different companies. */
  companies: number;
  /** Whether they were counted one by one. */
  counted: boolean;
  /** In cents; null when no amount is disclosed. */
  medianCents: number | null;
  /** In dollars. */
  largest: number | null;
};

const field = (name: keyof FundingDocument) => ({ field: name });

/** Distinct values are estimated, about exactly below such a number. A group takes eight bytes of memory for each. */
const [PRECISION, OVERALL_PRECISION] = [3000, 40_000];
/** Elasticsearch sorts up to 20 times as many values, and so finds their median exactly; of more values it keeps a sketch. */
const COMPRESSION = 2000;
const SORTED_VALUES = 20 * COMPRESSION - 1;

/** The typical relative errors of estimates. */
const COMPANIES_ERROR = 0.01;
const MEDIAN_ERROR = 0.005;

const detailsWith = (precision: number) => ({
  largest: { max: field("amount_usd") },
  median: { percentiles: { ...field("amount_cents"), percents: [50], tdigest: { compression: COMPRESSION } } },
  companies: { cardinality: { ...field("company_id"), precision_threshold: precision } },
});

/** The figures of funding rounds. Sums are computed in whole cents, because those are exact. */
export const FUNDING_FIGURES: Figures<FundingDetails> = {
  tally: { amounts: { stats: field("amount_cents") } },
  details: detailsWith(PRECISION),
  overall: detailsWith(OVERALL_PRECISION),
  detailsOf({ largest, median, companies }) {
    return {
      companies: (companies as { value: number }).value,
      counted: false,
      medianCents: (median as { values: Record<string, number | null> }).values["50.0"] ?? null,
      largest: (largest as { value: number | null }).value,
    };
  },
  async refine(search, request, summary) {
    const counts = await countCompanies(search, request, summary);
    const counted = <Row extends { details?: FundingDetails }>(row: Row, companies: number | undefined): Row =>
      companies === undefined || !row.details ? row : { ...row, details: { ...row.details, companies, counted: true } };
    return {
      ...summary,
      total: counted(summary.total, counts.total),
      groups: summary.groups.map((group) => counted(group, counts.groups.get(textOf(group.key)))),
    };
  },
};

/** The figures that are estimates in some of the groups shown, or in the total, with their typical relative errors. */
export function approximateFigures({ total, groups }: Summary<FundingDetails>): Record<string, number> {
  const rows = [total, ...groups];
  const companies = rows.some(({ details }) => details && !details.counted);
  const median = rows.some(({ disclosed }) => disclosed > SORTED_VALUES);
  return {
    ...(companies ? { companies: COMPANIES_ERROR } : {}),
    ...(median ? { median_amount_usd: MEDIAN_ERROR } : {}),
  };
}
