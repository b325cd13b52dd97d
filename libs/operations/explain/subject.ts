import type { RecordType } from "@tranche/shared/domain/records/record";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";

/** The subjects that can be explained: the record behind a name, and the read model with one document per such record. */
export type Subject = { record: RecordType; model: ReadModel | null };

const ROUND: Subject = { record: "round", model: "funding" };
const COMPANY: Subject = { record: "company", model: "companies" };
const INVESTOR: Subject = { record: "investor", model: "investors" };

/** The types of `ops explain`: read models and records. A document and its record have the same id, so both names mean both. */
export const SUBJECTS = {
  funding: ROUND,
  signals: COMPANY,
  investors: INVESTOR,
  round: ROUND,
  company: COMPANY,
  investor: INVESTOR,
  signal: { record: "signal", model: null },
} as const satisfies Record<string, Subject>;

export type SubjectType = keyof typeof SUBJECTS;
