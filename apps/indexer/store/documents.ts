import { createHash } from "node:crypto";
import type { RecordWrite } from "@tranche/shared/records/record";
import type { StoredEdge, StoredRecord, StoredSnapshot } from "@tranche/shared/records/stored";
import type { BulkItem } from "@tranche/shared/search/bulk-part";
import type { IndexNames } from "@tranche/shared/search/indices";

/** The record's own document: an upsert, or a delete that stays as a document. */
export function recordItem(names: IndexNames, write: RecordWrite): BulkItem {
  const document: StoredRecord = {
    id: write.id,
    version: write.version,
    updated_at: write.updated_at,
    ...(write.body === null ? { deleted: true as const } : searchedFields(write)),
    body: write.body,
  };
  return {
    index: names.record(write.type),
    id: write.id,
    document,
    version: { number: write.version, type: "external_gte" },
  };
}

function searchedFields(write: RecordWrite): Partial<StoredRecord> {
  if (write.body === null) return {};
  switch (write.type) {
    case "company":
    case "investor":
      return { slug: write.body.slug };
    case "round":
      return {
        company_id: write.body.company_id,
        investor_ids: write.body.investors.map((investor) => investor.investor_id),
      };
    case "signal":
      return { company_id: write.body.company_id };
  }
}

/** The edge of a round or signal to its company, if it has one. Writes only ever add edges, so they carry no version. */
export function edgeItem(names: IndexNames, write: RecordWrite): BulkItem | undefined {
  if ((write.type !== "round" && write.type !== "signal") || write.body === null) return undefined;
  const { company_id } = write.body;
  const id = createHash("sha256")
    .update(JSON.stringify([write.type, write.id, company_id]))
    .digest("base64url");
  const edge: StoredEdge = { type: write.type, record_id: write.id, company_id, updated_at: write.updated_at };
  return { index: names.edges, id, document: edge };
}

/** What a company write saw on its day: later writes of that day replace it, other days stay beside it. */
export function snapshotItem(names: IndexNames, write: RecordWrite): BulkItem | undefined {
  if (write.type !== "company" || write.body === null) return undefined;
  const { observed_at, tech_stack, headcount } = write.body;
  const id = `${write.id}@${observed_at}`;
  const document: StoredSnapshot = {
    id,
    version: write.version,
    company_id: write.id,
    observed_at,
    technologies: tech_stack,
    headcount,
  };
  return { index: names.record("snapshot"), id, document, version: { number: write.version, type: "external_gte" } };
}
