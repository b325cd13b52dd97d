import { edgeOf, hashOf, stakeOfRound } from "@tranche/shared/domain/records/edges";
import { deletionOf } from "@tranche/shared/domain/records/snapshots";
import { isWhole } from "@tranche/shared/domain/records/merge";
import type { CompanyRecord, RecordWrite } from "@tranche/shared/domain/records/record";
import {
  NAMED_BY_MERGES,
  searchedFields,
  type StoredMerge,
  type StoredRecord,
  type StoredSnapshot,
} from "@tranche/shared/domain/records/stored";
import { slugOf } from "@tranche/shared/domain/records/text";
import type { BulkItem } from "@tranche/shared/engines/search/bulk-part";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { byCodePoint } from "@tranche/shared/domain/text/order";

/**
 * The document of a record: its upsert or its delete, which stays as a document. A merge gets an empty document, written only if the
 * record has none, so that every scan over all records finds its id.
 */
export function recordItem(names: IndexNames, write: RecordWrite): BulkItem {
  const { type, id, updated_at } = write;
  const index = names.record(type);
  if (write.merge) {
    const deleted = isWhole(type, write.merge) ? {} : { deleted: true as const };
    const named: StoredRecord = { id, version: NAMED_BY_MERGES, updated_at, ...deleted, body: null };
    return { index, id, document: named, version: { number: 0, type: "external" } };
  }
  const { version, body, from } = write;
  const fields = body === null ? { deleted: true as const } : searchedFields(type, body);
  const document: StoredRecord = { id, version, updated_at, ...fields, ...(from && { from }), body };
  return { index, id, document, version: { number: version, type: "external_gte" } };
}

/** The document of a merge. Merges of one record with the same set of fields share a document. */
export function mergeItem(names: IndexNames, write: RecordWrite): BulkItem | undefined {
  if (!write.merge) return undefined;
  const { type, version, updated_at, merge: fields, from } = write;
  const id = hashOf([type, write.id, ...Object.keys(fields).toSorted(byCodePoint)]);
  const { name, slug } = fields as Partial<CompanyRecord>;
  // If a record consists only of merges, its slug may come from its name.
  const searched = searchedFields(
    type,
    slug === undefined && name !== undefined ? { ...fields, slug: slugOf(name, write.id) } : fields,
  );
  const document: StoredMerge = {
    id,
    type,
    record_id: write.id,
    version,
    updated_at,
    ...searched,
    ...(from && { from }),
    fields,
  };
  return { index: names.record("merge"), id, document, version: { number: version, type: "external_gte" } };
}

/** The edge of a round or signal to its company, if it names one. Writes only add edges, so edges have no version. */
export function edgeItem(names: IndexNames, write: RecordWrite): BulkItem | undefined {
  if (write.type !== "round" && write.type !== "signal") return undefined;
  const company_id = (write.body ?? write.merge)?.company_id;
  if (company_id === undefined) return undefined;
  const { type, id: record_id, updated_at } = write;
  return { index: names.edges, ...edgeOf({ type, record_id, company_id, updated_at }) };
}

/** The stake of a round's investors, if the write names any. Writes only add stakes, as they add edges. */
export function stakeItem(names: IndexNames, write: RecordWrite): BulkItem | undefined {
  if (write.type !== "round") return undefined;
  const investors = (write.body ?? write.merge)?.investors ?? [];
  return stakeOf(
    names,
    write.id,
    investors.map(({ investor_id }) => investor_id),
    write.updated_at,
  );
}

/** The stake of these investors in a round. */
function stakeOf(
  names: IndexNames,
  round_id: string,
  investors: readonly string[],
  updated_at: string,
): BulkItem | undefined {
  return investors.length === 0
    ? undefined
    : { index: names.stakes, ...stakeOfRound({ round_id, investor_ids: investors, updated_at }) };
}

/**
 * The snapshots of a company write: its tech stack and its headcount on their day, each that it has in its own document. A later write of
 * the same day replaces it. A delete is noted among them.
 */
export function snapshotItems(names: IndexNames, write: RecordWrite): BulkItem[] {
  if (write.type !== "company") return [];
  const index = names.record("snapshot");
  const { id: company_id, version } = write;
  const newest = { number: version, type: "external_gte" } as const;
  if (write.body === null) return [{ index, ...deletionOf(write), version: newest }];
  const { observed_at = "", tech_stack: technologies, headcount } = write.merge ?? write.body;
  return Object.entries({ technologies, headcount }).flatMap(([field, value]) => {
    if (value === undefined || value === null) return [];
    const id = `${company_id}@${observed_at}#${field}`;
    const snapshot = { id, version, company_id, observed_at, technologies: null, headcount: null };
    const document: StoredSnapshot = { ...snapshot, [field]: value };
    return [{ index, id, document, version: newest }];
  });
}
