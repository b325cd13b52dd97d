/** Records as they are stored: one shape for each type, normalised, with nothing left to interpret. */

export const RECORD_TYPES = ["company", "investor", "round", "signal"] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

export type CompanyRecord = {
  id: string;
  name: string;
  slug: string;
  aliases: string[];
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  city: string | null;
  category: string | null;
  domain: string | null;
  /** Display names as the source writes them; null when the source says nothing of technologies. */
  tech_stack: string[] | null;
  headcount: number | null;
  founded_year: number | null;
  /** The UTC day on which stack and headcount were seen. */
  observed_at: string;
};

export type InvestorRecord = {
  id: string;
  name: string;
  slug: string;
  aliases: string[];
  country: string | null;
  kind: string | null;
};

export type RoundInvestor = { investor_id: string; is_lead: boolean };

export type RoundRecord = {
  id: string;
  company_id: string;
  /** YYYY-MM-DD. */
  announced_date: string;
  deal_type: string;
  /** The source's label, where no word of the vocabulary fits. */
  deal_type_label: string | null;
  /** US dollars with at most two decimals; null when undisclosed. */
  amount_usd: number | null;
  investors: RoundInvestor[];
  source_url: string | null;
};

export type SignalRecord = {
  id: string;
  company_id: string;
  key: string;
  /** YYYY-MM-DD. */
  detected_at: string;
  /** The first UTC day on which it is no longer live. */
  expires_at: string | null;
  /** 0 to 1. */
  strength: number;
  evidence_url: string | null;
};

export type RecordBodies = {
  company: CompanyRecord;
  investor: InvestorRecord;
  round: RoundRecord;
  signal: SignalRecord;
};

/** `body`: the whole record, or null to delete it. `merge`: the fields of a merge, and no others. */
export type RecordContent<T extends RecordType> =
  | { body: RecordBodies[T] | null; merge?: undefined }
  | { merge: Partial<RecordBodies[T]>; body?: undefined };

/** Where a write comes from: its run, the number of the file in it (from 1), and the line or the element. */
export type Provenance = { run: string; set?: string; file?: number; line?: number; element?: number };

/** An entry of the queue: one write of one record. `version` orders the writes of a record. */
export type RecordWrite = {
  [T in RecordType]: {
    type: T;
    id: string;
    version: number;
    /** When it was enqueued, ISO time. */
    updated_at: string;
    /** Missing where another program enqueued it. */
    from?: Provenance;
  } & RecordContent<T>;
}[RecordType];
