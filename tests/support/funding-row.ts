import type { FundingRow } from "@tranche/read-models/documents/funding";

/** A round as lists show it. `more`: members that differ. */
export const fundingRow = (more: Partial<FundingRow> = {}): FundingRow => ({
  id: "r1",
  announced_date: "2026-03-12",
  deal_type: "series_a",
  amount_usd: 12_500_000,
  company: { id: "co/1", name: "Acme", slug: "acme", country: "DE", city: null, category: null },
  investors: [{ id: "i1", name: "Sequoia", slug: "sequoia", is_lead: true }],
  investor_count: 1,
  source_url: null,
  updated_at: "2026-03-12T00:00:00Z",
  ...more,
});
