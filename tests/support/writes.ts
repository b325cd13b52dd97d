import { parseRecord } from "@tranche/shared/domain/records/parse";
import type { RecordType, RecordWrite } from "@tranche/shared/domain/records/record";
import { readDealTypes } from "@tranche/shared/process/vocabulary-file";

const dealTypes = readDealTypes(undefined);
const TODAY = "2025-06-15";

/** A write as `ops ingest` would enqueue it; `updated_at` is the version, so that documents show which one they hold. */
export function write(version: number, record: { type: RecordType } & Record<string, unknown>): RecordWrite {
  const outcome = parseRecord({ ...record, version }, { dealTypes, today: TODAY });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  const { type, id, body, merge } = outcome.record;
  const updated_at = new Date(1.7e12 + version * 1000).toISOString();
  return { type, id, version, updated_at, ...(merge ? { merge } : { body }) } as RecordWrite;
}

type Fields = Record<string, unknown>;

export const company = (version: number, id: string, fields: Fields = {}): RecordWrite =>
  write(version, { type: "company", id, name: `Company ${id}`, observed_at: TODAY, ...fields });

export const investor = (version: number, id: string, fields: Fields = {}): RecordWrite =>
  write(version, { type: "investor", id, name: `Investor ${id}`, ...fields });

export const round = (version: number, id: string, companyId: string, fields: Fields = {}): RecordWrite =>
  write(version, {
    type: "round",
    id,
    company_id: companyId,
    announced_date: "2025-05-01",
    deal_type: "seed",
    amount_usd: 1_000_000,
    ...fields,
  });

export const signal = (version: number, companyId: string, key: string, fields: Fields = {}): RecordWrite =>
  write(version, { type: "signal", company_id: companyId, key, detected_at: "2025-06-01", ...fields });

export const merging = (version: number, type: RecordType, id: string, fields: Fields): RecordWrite =>
  write(version, { type, op: "merge", id, ...fields });

export const deletion = (version: number, type: RecordType, id: string): RecordWrite =>
  write(version, { type, op: "delete", id });
