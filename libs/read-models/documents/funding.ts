import type { RowText } from "./row-text.ts";

/** One round as callers see it, complete. */
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

/** A document of the funding read model: what is searched beside what is shown. */
export type FundingDocument = {
  /** True for what lists show; absent on documents of deleted or incomplete rounds, which have `gone` instead. */
  listed: true;
  id: string;
  company_id: string;
  announced_date: string;
  deal_type: string;
  amount_usd: number | null;
  country: string | null;
  city_key: string | null;
  category_key: string | null;
  /** Keys of names, slugs and aliases of all its investors. */
  investor_keys: string[];
  investor_ids: string[];
  row: RowText<FundingRow>;
};

/** What is left of a document whose round or company was deleted: it keeps an older derivation from coming back. */
export type GoneDocument = { gone: true };
