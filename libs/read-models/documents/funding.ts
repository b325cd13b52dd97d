import type { AmountBand } from "./bands.ts";
import type { RowText } from "./row-text.ts";

/** One round, complete, as callers get it. */
export type FundingRow = {
  id: string;
  announced_date: string;
  deal_type: string;
  amount_usd: number | null;
  company: CompanySummary;
  investors: { id: string; name: string; slug: string; is_lead: boolean }[];
  investor_count: number;
  source_url: string | null;
  updated_at: string;
};

export type CompanySummary = {
  id: string;
  name: string;
  slug: string;
  country: string | null;
  city: string | null;
  category: string | null;
};

/** A document of the funding read model: the searched fields, and in `row` the round that lists show. */
export type FundingDocument = {
  /** Lists show the document. Documents of deleted or incomplete rounds have `gone` instead. */
  listed: true;
  id: string;
  company_id: string;
  /** Keys of the company's name, slug, aliases and domain. */
  company_keys: string[];
  announced_date: string;
  deal_type: string;
  amount_usd: number | null;
  /** The same in cents, for sums. */
  amount_cents: number | null;
  amount_band: AmountBand | null;
  country: string | null;
  city_key: string | null;
  category_key: string | null;
  /** Keys of names, slugs and aliases of all its investors. */
  investor_keys: string[];
  investor_ids: string[];
  /** The same of those that led the round. */
  lead_investor_keys: string[];
  lead_investor_ids: string[];
  row: RowText<FundingRow>;
};

/**
 * Replaces the document of a deleted round or company, so that an older derivation can't bring it back. It keeps the fields that filters
 * use, as `keptField` names them, where they are known.
 */
export type GoneDocument = { gone: true };
