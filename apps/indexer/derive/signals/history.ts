/** The input of all signals: the facts about one company. Lists are in any order. */
export interface CompanyHistory {
  /** All rounds, including those announced in the future. */
  rounds: readonly HistoryRound[];
  /** If a day has several, the last one in the list counts. */
  snapshots: readonly Snapshot[];
  ingested: readonly IngestedSignal[];
  /** Display names of the company record's stack. */
  techStack: readonly string[];
  /** The day on which the company record's stack was observed, `YYYY-MM-DD`. */
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

/** The observation of a company on a day. */
export interface Snapshot {
  /** `YYYY-MM-DD`. */
  observed_at: string;
  /** Display names; null when the stack was not observed, empty when it was observed to be empty. */
  technologies: readonly string[] | null;
  /** Number of people; null when not observed. */
  headcount: number | null;
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
