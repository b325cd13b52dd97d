/** All that signals are derived from: what is known of one company. Lists are in any order. */
export interface CompanyHistory {
  /** All rounds, those announced in the future too. */
  rounds: readonly HistoryRound[];
  /** One a day at most: of several on a day the one later in the list counts. */
  snapshots: readonly Snapshot[];
  ingested: readonly IngestedSignal[];
  /** Display names of the company record's stack. */
  techStack: readonly string[];
  /** The day on which the company record's stack was seen, `YYYY-MM-DD`. */
  observedAt: string;
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

/** What a company looked like on a day. */
export interface Snapshot {
  /** `YYYY-MM-DD`. */
  observed_at: string;
  /** Display names; null when the stack was not seen, empty when it was seen to be empty. */
  technologies: readonly string[] | null;
  /** People; null when not seen. */
  headcount: number | null;
}

export interface IngestedSignal {
  id: string;
  key: string;
  /** A date or a time with its offset: its UTC day counts. */
  detected_at: string;
  /** The first day on which it is no longer live; null for the life that the catalogue gives its key. */
  expires_at: string | null;
  /** 0 to 1; null for full strength. */
  strength: number | null;
  evidence_url: string | null;
}
