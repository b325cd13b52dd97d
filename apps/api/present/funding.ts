import { z } from "zod";
import type { FundingRow } from "@tranche/read-models/documents/funding";
import { flatTable } from "./flat-table.ts";
import { count, day, dollars, text, time } from "./scalars.ts";
import { joined } from "./table.ts";

/** The funding list as a table: a round per row. */
export const FUNDING_TABLE = flatTable<FundingRow>({
  id: [z.string(), (row) => row.id],
  announced_date: [day, (row) => row.announced_date],
  deal_type: [z.string(), (row) => row.deal_type],
  amount_usd: [dollars, (row) => row.amount_usd],
  company_id: [z.string(), ({ company }) => company.id],
  company_name: [z.string(), ({ company }) => company.name],
  company_slug: [z.string(), ({ company }) => company.slug],
  country: [text, ({ company }) => company.country],
  city: [text, ({ company }) => company.city],
  category: [text, ({ company }) => company.category],
  lead_investors: [text, ({ investors }) => names(investors.filter((investor) => investor.is_lead))],
  investors: [text, ({ investors }) => names(investors)],
  investor_count: [count, (row) => row.investor_count],
  source_url: [text, (row) => row.source_url],
  updated_at: [time, (row) => row.updated_at],
});

function names(investors: FundingRow["investors"]): string | null {
  return joined(investors.map((investor) => investor.name));
}
