import type { RecordType } from "@tranche/shared/domain/records/record";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";

type Entry = {
  /** The record type that the read model has one document per record of. */
  record: RecordType;
  /** The name of its documents in the jobs that derive them. */
  documents: "rounds" | "companies" | "investors";
  /** The field of a document's id: the feed orders documents of one ticket by it, gone ones too. */
  idField: string;
};

/** The records that the documents of each read model are made of, and their names. */
export const REGISTRY = {
  funding: { record: "round", documents: "rounds", idField: "id" },
  companies: { record: "company", documents: "companies", idField: "company_id" },
  investors: { record: "investor", documents: "investors", idField: "investor_id" },
} as const satisfies Record<ReadModel, Entry>;
