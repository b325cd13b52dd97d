import { z } from "zod";
import type { RowText } from "@tranche/read-models/documents/row-text";
import type { CompanyDocument, SignalsRow } from "@tranche/read-models/documents/companies";
import { type Columns, flatTable } from "./flat-table.ts";
import { count, day, dollars, score, text, time } from "./scalars.ts";
import { joined } from "./table.ts";

/** A company's row, and the lead investors of its latest round. */
type CompanyWithLeads = { row: SignalsRow; lead_investors: readonly string[] };

const COLUMNS: Columns<CompanyWithLeads> = {
  company_id: [z.string(), ({ row }) => row.company.id],
  company_name: [z.string(), ({ row }) => row.company.name],
  company_slug: [z.string(), ({ row }) => row.company.slug],
  country: [text, ({ row }) => row.company.country],
  city: [text, ({ row }) => row.company.city],
  category: [text, ({ row }) => row.company.category],
  signal_score: [score, ({ row }) => row.signal_score],
  signal_count: [count, ({ row }) => row.signals.length],
  signals: [text, ({ row }) => joined(row.signals)],
  top_signal: [text, ({ row }) => row.signals[0] ?? null],
  top_signal_detected_at: [day.nullable(), ({ row }) => topSignalDetectedAt(row)],
  latest_deal_type: [text, ({ row }) => row.latest_funding?.deal_type ?? null],
  latest_amount_usd: [dollars, ({ row }) => row.latest_funding?.amount_usd ?? null],
  latest_announced_date: [day.nullable(), ({ row }) => row.latest_funding?.announced_date ?? null],
  latest_lead_investors: [text, ({ lead_investors }) => joined(lead_investors)],
  total_raised_usd: [dollars, ({ row }) => row.total_raised_usd],
  round_count: [count, ({ row }) => row.round_count],
  tech_stack: [text, ({ row }) => joined(row.tech_stack)],
  updated_at: [time, ({ row }) => row.updated_at],
};

/** The signals list as a table: a company per row. */
export const SIGNALS_TABLE = flatTable<CompanyWithLeads>(COLUMNS);

/** The additional members of rows of the list of companies, beside those of the signals list. */
export type CompanyRow = SignalsRow & Pick<CompanyDocument["profile"], "domain" | "founded_year" | "headcount">;

/** The list of companies as a table. */
export const COMPANIES_TABLE = flatTable<CompanyWithLeads & { row: CompanyRow }>({
  ...COLUMNS,
  domain: [text, ({ row }) => row.domain],
  founded_year: [count.nullable(), ({ row }) => row.founded_year],
  headcount: [count.nullable(), ({ row }) => row.headcount],
});

/** A company as the list of companies shows it, as JSON. */
export function companyRowText({ row, profile }: Pick<CompanyDocument, "row" | "profile">): RowText<CompanyRow> {
  const { domain, founded_year, headcount } = profile;
  // The row stays text: taking it apart would cost more than the whole answer.
  return `${row.slice(0, -1)},${JSON.stringify({ domain, founded_year, headcount }).slice(1)}`;
}

function topSignalDetectedAt({ signals, signal_details }: SignalsRow): string | null {
  return signal_details.find((signal) => signal.key === signals[0])?.detected_at ?? null;
}
