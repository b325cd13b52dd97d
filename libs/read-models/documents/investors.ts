import type { Names } from "./names.ts";
import type { RowText } from "./row-text.ts";

/** How many of an investor's rounds have a value. */
export type RoundsOf = { key: string; count: number };

/** One investor, complete, as callers get it. */
export type InvestorRow = {
  id: string;
  name: string;
  slug: string;
  aliases: string[];
  country: string | null;
  kind: string | null;
  round_count: number;
  lead_count: number;
  company_count: number;
  first_round_date: string | null;
  latest_round_date: string | null;
  /** The most frequent values, by rounds and then by key. */
  top_categories: RoundsOf[];
  top_countries: RoundsOf[];
  top_deal_types: RoundsOf[];
};

/**
 * A document of the investors read model. Every stored investor has one. Its counts are those of the rounds that the funding index of
 * the same role lists for the investor.
 */
export type InvestorDocument = Names & {
  /** Lists show the document. Documents of deleted investors have `gone` instead. */
  listed: true;
  investor_id: string;
  /** The key of its slug. */
  slug: string;
  /** The first characters of `name_key`. Paging counts names by them to find a deep page. */
  name_head: string | null;
  /** Keys of name, slug and aliases. */
  investor_keys: string[];
  country: string | null;
  kind_key: string | null;
  round_count: number;
  lead_count: number;
  company_count: number;
  first_round_date: string | null;
  latest_round_date: string | null;
  /** The days on which its rounds were announced, each once, in order. */
  round_dates: string[];
  /** Of all its rounds, each once. */
  category_keys: string[];
  deal_types: string[];
  row: RowText<InvestorRow>;
};
