import type { RecordBodies, RecordType } from "./record.ts";

/** A record as it is kept in its index: what is searched, and the record itself. */
export type StoredRecord<T extends RecordType = RecordType> = {
  id: string;
  version: number;
  updated_at: string;
  /** A delete is a document too, so that an older write that comes late does not bring the record back. */
  deleted?: true;
  slug?: string;
  company_id?: string;
  investor_ids?: string[];
  body: RecordBodies[T] | null;
};

/** What was seen of a company on a day: kept so that changes can be told. */
export type StoredSnapshot = {
  id: string;
  version: number;
  company_id: string;
  observed_at: string;
  technologies: string[] | null;
  headcount: number | null;
};

/** A round or signal and a company it is or was of: whoever changes or deletes it finds here which companies it touches. */
export type StoredEdge = {
  type: "round" | "signal";
  record_id: string;
  company_id: string;
  /** Of the last write that had it: a late one may belong to a record that is about to be written. */
  updated_at: string;
};
