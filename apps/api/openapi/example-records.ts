import type { FundingRow } from "@tranche/read-models/documents/funding";
import type { InvestorRow } from "@tranche/read-models/documents/investors";
import { namePrefixes } from "@tranche/read-models/documents/names";
import { rowOf, rowText } from "@tranche/read-models/documents/row-text";
import type { CompanyDocument, SignalsRow } from "@tranche/read-models/documents/companies";
import { type CompanyRow, companyRowText } from "../present/signals.ts";

// The records that all examples show.

export const COMPANY = {
  id: "co-lumen",
  name: "Lumen Robotics",
  slug: "lumen-robotics",
  country: "DE",
  city: "Berlin",
  category: "robotics",
};

export const ROUND: FundingRow = {
  id: "rnd-lumen-2025-03-14",
  announced_date: "2025-03-14",
  deal_type: "series_a",
  amount_usd: 12_000_000,
  company: COMPANY,
  investors: [
    { id: "inv-northgate", name: "Northgate Capital", slug: "northgate-capital", is_lead: true },
    { id: "inv-acorn", name: "Acorn Ventures", slug: "acorn-ventures", is_lead: false },
  ],
  investor_count: 2,
  source_url: "https://example.com/lumen-series-a",
  updated_at: "2025-03-15T08:00:00Z",
};

export const SIGNALS_ROW: SignalsRow = {
  company: COMPANY,
  signal_score: 58,
  signals: ["just_raised", "modern_stack"],
  signal_details: [
    {
      key: "just_raised",
      detected_at: "2025-03-14",
      latest_detected_at: "2025-03-14",
      expires_at: "2025-06-12",
      strength: 1,
    },
    { key: "modern_stack", detected_at: "2025-01-10", latest_detected_at: "2025-01-10", expires_at: null, strength: 1 },
  ],
  tech_stack: ["Python", "PostgreSQL", "Kubernetes"],
  latest_funding: {
    round_id: ROUND.id,
    announced_date: ROUND.announced_date,
    deal_type: ROUND.deal_type,
    amount_usd: ROUND.amount_usd,
    investors: ROUND.investors.map((investor) => investor.name),
    investor_count: ROUND.investor_count,
  },
  total_raised_usd: 14_500_000,
  round_count: 2,
  updated_at: ROUND.updated_at,
};

export const SIGNALS: CompanyDocument = {
  listed: true,
  company_id: COMPANY.id,
  slug: COMPANY.slug,
  company_keys: ["lumen-robotics", "lumen-example"],
  domain: "lumen.example",
  name_key: "lumen-robotics",
  name_prefixes: namePrefixes(["Lumen Robotics"]),
  name_head: "lum",
  country: COMPANY.country,
  city_key: "berlin",
  category_key: "robotics",
  deal_type: ROUND.deal_type,
  latest_announced_date: ROUND.announced_date,
  latest_amount_usd: ROUND.amount_usd,
  investor_keys: ["northgate-capital", "acorn-ventures"],
  investor_ids: ["inv-northgate", "inv-acorn"],
  total_raised_usd: 14_500_000,
  round_count: 2,
  signal_keys: ["just_raised", "modern_stack"],
  signal_detections: ["just_raised@2025-03-14", "modern_stack@2025-01-10"],
  newest_detected_at: "2025-03-14",
  signal_score: 58,
  score_band: 50,
  total_raised_cents: 1_450_000_000,
  tech_keys: ["kubernetes", "postgresql", "python"],
  headcount: 48,
  founded_year: 2019,
  next_change_at: "2025-03-25",
  row: rowText(SIGNALS_ROW),
  lead_investors: ["Northgate Capital"],
  profile: { aliases: [], domain: "lumen.example", headcount: 48, founded_year: 2019, category: COMPANY.category },
  instances: [
    {
      key: "just_raised",
      detected_at: "2025-03-14",
      expires_at: "2025-06-12",
      strength: 1,
      source: "derived",
      evidence: { round_id: ROUND.id },
    },
    {
      key: "modern_stack",
      detected_at: "2025-01-10",
      expires_at: null,
      strength: 1,
      source: "derived",
      evidence: { technologies: ["kubernetes", "postgresql", "python"] },
    },
  ],
};

export const INVESTOR = {
  id: "inv-northgate",
  name: "Northgate Capital",
  slug: "northgate-capital",
  aliases: [],
  country: "GB",
  kind: "venture",
};

export const INVESTOR_ROW: InvestorRow = {
  ...INVESTOR,
  round_count: 31,
  lead_count: 12,
  company_count: 24,
  first_round_date: "2016-05-04",
  latest_round_date: ROUND.announced_date,
  top_categories: [
    { key: "robotics", count: 19 },
    { key: "software", count: 12 },
  ],
  top_countries: [
    { key: "DE", count: 18 },
    { key: "GB", count: 13 },
  ],
  top_deal_types: [
    { key: "series_a", count: 20 },
    { key: "seed", count: 11 },
  ],
};

export const COMPANY_ROW: CompanyRow = rowOf(companyRowText(SIGNALS));
