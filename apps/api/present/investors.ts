import { z } from "zod";
import type { InvestorRow, RoundsOf } from "@tranche/read-models/documents/investors";
import { flatTable } from "./flat-table.ts";
import { count, day, text } from "./scalars.ts";
import { joined } from "./table.ts";

/** The investors list as a table: an investor per row. */
export const INVESTORS_TABLE = flatTable<InvestorRow>({
  id: [z.string(), (row) => row.id],
  name: [z.string(), (row) => row.name],
  slug: [z.string(), (row) => row.slug],
  aliases: [text, (row) => joined(row.aliases)],
  country: [text, (row) => row.country],
  kind: [text, (row) => row.kind],
  round_count: [count, (row) => row.round_count],
  lead_count: [count, (row) => row.lead_count],
  company_count: [count, (row) => row.company_count],
  first_round_date: [day.nullable(), (row) => row.first_round_date],
  latest_round_date: [day.nullable(), (row) => row.latest_round_date],
  top_categories: [text, (row) => keys(row.top_categories)],
  top_countries: [text, (row) => keys(row.top_countries)],
  top_deal_types: [text, (row) => keys(row.top_deal_types)],
});

const keys = (counts: readonly RoundsOf[]): string | null => joined(counts.map(({ key }) => key));
