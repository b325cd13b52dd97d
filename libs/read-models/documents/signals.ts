import type { SignalInstance } from "@tranche/shared/signals/instance";
import type { CompanySummary } from "./funding.ts";
import type { RowText } from "./row-text.ts";

/** One company as the signals list shows it, complete. */
export type SignalsRow = {
  company: CompanySummary;
  /** 0 to 100, whole. */
  signal_score: number;
  /** Live keys, strongest first. */
  signals: string[];
  signal_details: { key: string; detected_at: string; expires_at: string | null; strength: number }[];
  /** Display names as stored. */
  tech_stack: string[];
  latest_funding: {
    round_id: string;
    announced_date: string;
    deal_type: string;
    amount_usd: number | null;
    /** Names, leads first. */
    investors: string[];
    investor_count: number;
  } | null;
  total_raised_usd: number | null;
  round_count: number;
  updated_at: string;
};

/** A document of the signals read model: every company has one; `listed` only while a signal of it is live. */
export type SignalsDocument = {
  listed: boolean;
  company_id: string;
  slug: string;
  name_key: string;
  /** Its first characters: names are counted by them to find a page far down the list. */
  name_head: string;
  country: string | null;
  city_key: string | null;
  category_key: string | null;
  /** Of the latest round. */
  deal_type: string | null;
  latest_announced_date: string | null;
  latest_amount_usd: number | null;
  signal_keys: string[];
  signal_score: number;
  tech_keys: string[];
  /** First UTC day on which time alone changes the document, YYYY-MM-DD; null when none does. */
  next_change_at: string | null;
  row: RowText<SignalsRow>;
  /** What the rows of the flat format, the company look-up and the vocabularies need beyond `row`. */
  lead_investors: string[];
  profile: {
    aliases: string[];
    domain: string | null;
    headcount: number | null;
    founded_year: number | null;
    /** As the company has it, for the list of all categories. */
    category: string | null;
  };
  /** The best instance of each live key, strongest first: what the score breakdown is made of. */
  instances: SignalInstance[];
};
