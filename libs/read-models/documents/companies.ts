import type { SignalInstance } from "@tranche/shared/domain/signals/instance";
import type { CompanySummary } from "./funding.ts";
import type { Names } from "./names.ts";
import type { RowText } from "./row-text.ts";

/** One company, complete, as the signals list shows it. */
export type SignalsRow = {
  company: CompanySummary;
  /** 0 to 100, whole. */
  signal_score: number;
  /** Keys of live signals, strongest first. */
  signals: string[];
  signal_details: {
    key: string;
    /** The day of the instance that counts for the score. */
    detected_at: string;
    /** The day of the newest live instance. */
    latest_detected_at: string;
    expires_at: string | null;
    strength: number;
  }[];
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

/** A signal and the day on which it was detected, `just_raised@2025-03-14`. Those of one signal are in the order of their days. */
export const signalDetection = (key: string, day: string): string => `${key}@${day}`;

/** A document of the companies read model. Every company has one; it is `listed` while one of its signals is live. */
export type CompanyDocument = Names & {
  listed: boolean;
  company_id: string;
  /** The key of its slug. */
  slug: string;
  /** Keys of name, slug, aliases and domain. */
  company_keys: string[];
  /** As `domainOf` reads it. */
  domain: string | null;
  /** The first characters of `name_key`. Paging counts names by them to find a deep page. */
  name_head: string | null;
  country: string | null;
  city_key: string | null;
  category_key: string | null;
  /** Of the latest round. */
  deal_type: string | null;
  latest_announced_date: string | null;
  latest_amount_usd: number | null;
  /** Keys of names, slugs and aliases of all investors in the rounds up to the day of derivation. */
  investor_keys: string[];
  investor_ids: string[];
  /** Of the same rounds. */
  total_raised_usd: number | null;
  round_count: number;
  signal_keys: string[];
  /** Each live signal with the newest day on which it was detected, as `signalDetection` writes it. */
  signal_detections: string[];
  /** The newest of these days, YYYY-MM-DD. */
  newest_detected_at: string | null;
  signal_score: number;
  score_band: number;
  /** In cents, for sums. */
  total_raised_cents: number | null;
  tech_keys: string[];
  /** As last observed. */
  headcount: number | null;
  founded_year: number | null;
  /** First UTC day on which time alone changes the document, YYYY-MM-DD; null when none does. */
  next_change_at: string | null;
  row: RowText<SignalsRow>;
  /** Fields for the flat format, the company look-up and the vocabularies that `row` lacks. */
  lead_investors: string[];
  profile: {
    aliases: string[];
    domain: string | null;
    headcount: number | null;
    founded_year: number | null;
    /** The category as the company writes it, for the list of all categories. */
    category: string | null;
  };
  /** The best instance of each live key, strongest first. The score breakdown is computed from them. */
  instances: SignalInstance[];
};
