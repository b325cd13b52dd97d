import type { CompanyRecord, Provenance, RecordBodies, RecordType, RoundRecord } from "./record.ts";

/** A record as it is stored in its index: the searched fields and the record itself. */
export type StoredRecord<T extends RecordType = RecordType> = {
  id: string;
  version: number;
  updated_at: string;
  /** A delete is a document too, so that an older write that comes late does not bring the record back. */
  deleted?: true;
  slug?: string;
  company_id?: string;
  investor_ids?: string[];
  /** Of its newest write; missing where nobody noted it. */
  from?: Provenance;
  body: RecordBodies[T] | null;
};

/** The fields of a record that searches use; of a merge, those it carries. */
export function searchedFields(type: RecordType, body: Partial<RecordBodies[RecordType]>): SearchedFields {
  const { slug, company_id, investors } = body as Partial<CompanyRecord & RoundRecord>;
  const fields: SearchedFields = {};
  if (slug !== undefined && (type === "company" || type === "investor")) fields.slug = slug;
  if (company_id !== undefined && (type === "round" || type === "signal")) fields.company_id = company_id;
  if (investors !== undefined && type === "round") {
    fields.investor_ids = investors.map((investor) => investor.investor_id);
  }
  return fields;
}

type SearchedFields = Pick<StoredRecord, "slug" | "company_id" | "investor_ids">;

/** The version of the empty document of a record that only merges name: below the version of any write. */
export const NAMED_BY_MERGES = -1;

/**
 * A merge as it is stored: beside its record, not in it, so that neither has to be read to write the other. Of the merges of a record
 * that carry the same fields only the newest stays.
 */
export type StoredMerge = SearchedFields & {
  id: string;
  type: RecordType;
  record_id: string;
  version: number;
  updated_at: string;
  from?: Provenance;
  fields: Partial<RecordBodies[RecordType]>;
};

/**
 * The technologies or the headcount of a company on a day, as last written, stored so that changes can be derived. Documents of earlier
 * versions may have both.
 */
export type StoredSnapshot = {
  id: string;
  version: number;
  company_id: string;
  observed_at: string;
  technologies: string[] | null;
  headcount: number | null;
  /** Set in the one document that notes the newest deletion of the company, on its day. It stays when the company comes again. */
  deleted?: true;
};

/** A round or signal with a company that it belongs or belonged to. It shows which companies a change or a delete affects. */
export type StoredEdge = {
  type: "round" | "signal";
  record_id: string;
  company_id: string;
  /** The time of the last write that had it: a late one may belong to a record that is about to be written. */
  updated_at: string;
};

/**
 * Investors that a round has or had. It shows which investors a change or a delete of the round affects. One document for each
 * different list of investors.
 */
export type StoredStake = {
  id: string;
  round_id: string;
  investor_ids: string[];
  /** The time of the last write that had it, as for edges. */
  updated_at: string;
};
