import type { Provenance, RecordType } from "@tranche/shared/domain/records/record";
import type { IndexRole, ReadModel } from "@tranche/shared/engines/search/index-names";
import type { SubjectType } from "./subject.ts";

/**
 * A record as Elasticsearch has it. `deleted`: its delete is kept; `incomplete`: only merges name it, and they do not carry all required
 * fields; `unknown`: there is nothing, because it was never ingested or because its delete was purged.
 */
export type RecordState = {
  type: RecordType;
  id: string;
  state: "stored" | "deleted" | "incomplete" | "unknown";
  /** Of the newest write that counts, merges included. */
  version: number | null;
  updated_at: string | null;
  /** The name of the record, with its merges on top. */
  name?: string;
  company_id?: string;
  investor_ids?: string[];
  /** The origin of the newest write that counts; missing where nobody noted it. */
  from?: Origin;
  /** Stored beside the record, whether they still count or not. */
  merges: { version: number; fields: string[]; from?: Origin }[];
};

/** Where a write comes from: run, number and name of the file in it, line or element. */
export type Origin = Provenance & { file_name?: string };

/** A field whose stored value is not the derived one. Values are shortened texts; null: the field is not there. */
export type FieldDifference = { field: string; stored: string | null; derived: string | null };

/** The state of a document in an index with a role. */
export type IndexedDocument = {
  index: string;
  role: IndexRole;
  /** The external version of the document; null when the index has never held it. */
  ticket: number | null;
  state: "shown" | "gone" | "absent";
  /** Compared with a fresh derivation; `unknown` when there was none. */
  compared: "same" | "stale" | "missing" | "extra" | "unknown";
  differences: FieldDifference[];
  /** False for a company without a live signal, which is not on /signals. */
  listed?: boolean;
  /** The first day on which time changes the document. */
  next_change_at?: string | null;
};

/** The result of a fresh derivation for an index. `failed` has the reason. */
export type DerivedDocument = { index: string; document: Record<string, unknown> | null; failed?: string };

/** A fresh derivation by an indexer, or why there is none. */
export type ExplainedDerivation = { derived: DerivedDocument[] } | { unavailable: string };

export type DocumentFacts = {
  model: ReadModel;
  id: string;
  indices: IndexedDocument[];
  /** The result of a fresh derivation, or why there is none. */
  derivation: "document" | "gone" | { failed: string } | { unavailable: string };
  /** It waits for its derivation: an investor for the second stage, others in a fan-out behind live traffic. */
  noted: boolean;
};

/** Work that is not done and names the document or one of its records. */
export type OpenWork = {
  dead_letters: { id: string; subject: string; reason: string; at: string }[];
  /** Jobs of records and of documents to derive that are not done. */
  jobs: { waiting: number; active: number; looked_at: number; naming: number; oldest_seconds: number | null };
};

export type Facts = {
  type: SubjectType;
  id: string;
  records: RecordState[];
  /** Rounds and signals with companies that they belong or belonged to. */
  edges: { type: "round" | "signal"; record_id: string; company_id: string }[];
  /** Rounds with investors that they have or had. */
  stakes: { round_id: string; investor_ids: string[] }[];
  /** Days on which the company's technologies and headcount are known. */
  snapshots: number;
  /** More sources exist than are shown. */
  truncated: boolean;
  /** Null for a signal, which has no document of its own. */
  document: DocumentFacts | null;
} & OpenWork;
