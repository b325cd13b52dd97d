import type { FundingRow } from "@tranche/read-models/documents/funding";
import { type FlatRow, joined } from "./table.ts";

/** Columns of the funding list as a table. */
export const FUNDING_COLUMNS = Object.freeze([
  "id",
  "announced_date",
  "deal_type",
  "amount_usd",
  "company_id",
  "company_name",
  "company_slug",
  "country",
  "city",
  "category",
  "lead_investors",
  "investors",
  "investor_count",
  "source_url",
  "updated_at",
]);

/** A round as a row of a table. */
export function flatFunding(row: FundingRow): FlatRow {
  const { company, investors } = row;
  return {
    id: row.id,
    announced_date: row.announced_date,
    deal_type: row.deal_type,
    amount_usd: row.amount_usd,
    company_id: company.id,
    company_name: company.name,
    company_slug: company.slug,
    country: company.country,
    city: company.city,
    category: company.category,
    lead_investors: joined(investors.filter((investor) => investor.is_lead).map((investor) => investor.name)),
    investors: joined(investors.map((investor) => investor.name)),
    investor_count: row.investor_count,
    source_url: row.source_url,
    updated_at: row.updated_at,
  };
}
