import type { RecordType } from "@tranche/shared/domain/records/record";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";

type OfModel = {
  /** The record type that the read model has one document per record of. */
  record: RecordType;
  /** What its documents are called in the jobs that derive them. */
  documents: "rounds" | "companies" | "investors";
  /** The field of a document's id: the feed orders documents of one ticket by it, gone ones too. */
  idField: string;
};

/** What the documents of each read model are made of, and how they are named. */
export const OF_MODEL = {
  funding: { record: "round", documents: "rounds", idField: "id" },
  companies: { record: "company", documents: "companies", idField: "company_id" },
  investors: { record: "investor", documents: "investors", idField: "investor_id" },
} as const satisfies Record<ReadModel, OfModel>;
