import type { SignalsRow } from "@tranche/read-models/documents/signals";
import { type FlatRow, joined } from "./table.ts";

/** Columns of the signals list as a table, and keys of a row of `format=flat`. */
export const SIGNALS_COLUMNS = Object.freeze([
  "company_id",
  "company_name",
  "company_slug",
  "country",
  "city",
  "category",
  "signal_score",
  "signal_count",
  "signals",
  "top_signal",
  "top_signal_detected_at",
  "latest_deal_type",
  "latest_amount_usd",
  "latest_announced_date",
  "latest_lead_investors",
  "total_raised_usd",
  "round_count",
  "tech_stack",
  "updated_at",
]);

/** A company as a row of a table. */
export function flatSignals(row: SignalsRow, leadInvestors: readonly string[]): FlatRow {
  const { company, latest_funding: latest } = row;
  const top = row.signals[0] ?? null;
  return {
    company_id: company.id,
    company_name: company.name,
    company_slug: company.slug,
    country: company.country,
    city: company.city,
    category: company.category,
    signal_score: row.signal_score,
    signal_count: row.signals.length,
    signals: joined(row.signals),
    top_signal: top,
    top_signal_detected_at: row.signal_details.find((signal) => signal.key === top)?.detected_at ?? null,
    latest_deal_type: latest?.deal_type ?? null,
    latest_amount_usd: latest?.amount_usd ?? null,
    latest_announced_date: latest?.announced_date ?? null,
    latest_lead_investors: joined(leadInvestors),
    total_raised_usd: row.total_raised_usd,
    round_count: row.round_count,
    tech_stack: joined(row.tech_stack),
    updated_at: row.updated_at,
  };
}
