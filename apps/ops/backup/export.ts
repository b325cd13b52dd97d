import type { CompanyRecord, RecordType } from "@tranche/shared/domain/records/record";
import { isOnTop, overlaid } from "@tranche/shared/domain/records/overlay";
import { daysOf, observedNow } from "@tranche/shared/domain/records/snapshots";
import type { StoredMerge, StoredRecord, StoredSnapshot } from "@tranche/shared/domain/records/stored";
import { openMerges } from "@tranche/shared/engines/search/merges";
import { collected, searchAll } from "@tranche/shared/engines/search/search-all";
import { chunks } from "@tranche/shared/engines/search/chunks";
import { viewIndex } from "@tranche/shared/engines/search/index-view";
import type { Engines } from "../context/connect.ts";

const PAGE = 2000;
const KEEP_ALIVE = "5m";

/** A company has up to two snapshots for each of 13 months' days. */
const COMPANIES_AT_ONCE = 200;

/**
 * The records of a type in the order of their ids, in the form that ingest accepts. Merges are applied; merges without a record are
 * exported as merges. Deleted records are left out. Each record has its version, so ingesting it again changes nothing. A company has
 * the stack and the headcount that count; a headcount of another day than the stack follows in a merge.
 */
export async function* exportRecords(engines: Engines, type: RecordType): AsyncGenerator<object[]> {
  const { client, names } = engines;
  const view = await viewIndex(client, names.record(type), KEEP_ALIVE);
  const merges = await openMerges(engines);
  // Also deleted ones, because merges may restore them.
  const query = merges.any ? { match_all: {} } : { bool: { must_not: [{ term: { deleted: true } }] } };
  try {
    for await (const hits of view.pages<StoredRecord>({ query, sort: ["id"], pageSize: PAGE })) {
      const stored = hits.map((hit) => hit._source!);
      const ofTheirs = await merges.of(
        type,
        stored.map((record) => record.id),
      );
      const records = stored.map((record) => overlaid(type, record, ofTheirs.get(record.id) ?? []));
      const companies = type === "company" ? await observedOf(engines, records) : undefined;
      const lines = stored.flatMap((record, position) => {
        const is = records[position];
        if (!is?.body) return exportedMerges(type, record, ofTheirs.get(record.id) ?? []);
        const upsert = { type, version: is.version, ...is.body };
        return companies ? asObserved(upsert, companies.get(is.id)!) : [upsert];
      });
      if (lines.length > 0) yield lines;
    }
  } finally {
    await view.close();
  }
}

type ObservedNow = ReturnType<typeof observedNow>;

/** The stack and the headcount of each company that is there. */
async function observedOf(
  { client, names }: Engines,
  records: readonly (StoredRecord | undefined)[],
): Promise<Map<string, ObservedNow>> {
  const companies = records.flatMap((record) => (record?.body ? [record.body as CompanyRecord] : []));
  const found = new Map<string, ObservedNow>();
  for (const some of chunks(companies, COMPANIES_AT_ONCE)) {
    const query = { terms: { company_id: some.map(({ id }) => id) } };
    const request = { index: names.record("snapshot"), query, sort: ["id"], source: true };
    const snapshots = await collected(searchAll<StoredSnapshot>(client, request));
    const ofCompany = Map.groupBy(snapshots, ({ company_id }) => company_id);
    for (const company of some) found.set(company.id, observedNow(company, daysOf(ofCompany.get(company.id) ?? [])));
  }
  return found;
}

/** A company with what was observed: an upsert, and a merge with the headcount if it is of another day than the stack. */
function asObserved(
  company: { type: RecordType; version: number; id: string },
  { technologies, headcount }: ObservedNow,
): object[] {
  const seen = technologies ?? headcount;
  if (seen === null) return [company];
  const { observed_at } = seen;
  const upsert = {
    ...company,
    tech_stack: technologies?.value ?? null,
    headcount: headcount?.value ?? null,
    observed_at,
  };
  if (headcount === null || headcount.observed_at === observed_at) return [upsert];
  const { type, version, id } = company;
  const merge = { type, op: "merge", version, id };
  return [
    { ...upsert, headcount: null },
    { ...merge, headcount: headcount.value, observed_at: headcount.observed_at },
  ];
}

function exportedMerges(type: RecordType, stored: StoredRecord, merges: readonly StoredMerge[]): object[] {
  return merges
    .filter((merge) => isOnTop(merge, stored))
    .toSorted((a, b) => a.version - b.version)
    .map(({ record_id, version, fields }) => ({ type, op: "merge", version, id: record_id, ...fields }));
}
