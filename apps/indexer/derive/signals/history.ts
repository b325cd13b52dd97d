import type { Observed, Snapshot } from "@tranche/shared/domain/records/snapshots";

/** The input of all signals: the facts about one company. Lists are in any order. */
export interface CompanyHistory {
  /** All rounds, including those announced in the future. */
  rounds: readonly HistoryRound[];
  /** At most one for each day. */
  snapshots: readonly Snapshot[];
  ingested: readonly IngestedSignal[];
  /** The stack that counts, each technology once, with the day on which it was observed; null when the company shows none. */
  stack: Observed<readonly string[]> | null;
}

export interface HistoryRound {
  id: string;
  /** `YYYY-MM-DD`. */
  announced_date: string;
  /** A word of the deal-type vocabulary. */
  deal_type: string;
  /** US dollars; null when undisclosed. */
  amount_usd: number | null;
  investors: readonly { id: string; is_lead: boolean }[];
}

export interface IngestedSignal {
  id: string;
  key: string;
  /** A date or a time with its offset: its UTC day counts. */
  detected_at: string;
  /** The first day on which it is no longer live; null for the default life of its key. */
  expires_at: string | null;
  /** 0 to 1; null for full strength. */
  strength: number | null;
  evidence_url: string | null;
}
