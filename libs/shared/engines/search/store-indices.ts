import type { estypes } from "@elastic/elasticsearch";
import { RECORD_TYPES } from "../../domain/records/record.ts";
import type { IndexNames, RecordIndex } from "./index-names.ts";
import { INSTALLATION_FORMAT } from "./installation-format.ts";

/** How an index is spread over the nodes of Elasticsearch. */
export type Layout = { shards: number; replicas: number };

/** The share of replaced documents that may stay in an index. With the default of 20, half of the work on a stream of updates was merging. */
const REPLACED_PERCENT = 50;

/** Segments of about one size before they are merged. Only the indexer searches records, and seldom. */
const SEGMENTS_PER_TIER = 20;

const keyword = { type: "keyword" } as const;

const RECORD_FIELDS: Record<RecordIndex, Record<string, estypes.MappingProperty>> = {
  company: { slug: keyword },
  investor: { slug: keyword },
  round: { company_id: keyword, investor_ids: keyword },
  signal: { company_id: keyword },
  snapshot: { company_id: keyword, observed_at: { type: "date", format: "strict_date" } },
  merge: { type: keyword, record_id: keyword, slug: keyword, company_id: keyword, investor_ids: keyword },
};

const ACCOUNT_FIELDS: Record<string, estypes.MappingProperty> = {
  kind: keyword,
  account: keyword,
  name: keyword,
  key_id: keyword,
  key_hash: keyword,
  audit_id: keyword,
  member: keyword,
  expires_at: { type: "date" },
  revoked_at: { type: "date" },
  at: { type: "date" },
};

const CONTROL_FIELDS: Record<string, estypes.MappingProperty> = {
  kind: keyword,
  id: keyword,
  open: { type: "boolean" },
  by: keyword,
  at: { type: "date" },
  started_at: { type: "date" },
};

const DASHBOARD_FIELDS: Record<string, estypes.MappingProperty> = {
  kind: keyword,
  account: keyword,
  email: keyword,
  key_id: keyword,
  expires_at: { type: "date" },
};

const DELIVERY_FIELDS: Record<string, estypes.MappingProperty> = {
  kind: keyword,
  webhook: keyword,
  account: keyword,
  at: { type: "date" },
};

/**
 * Records that are read for whole ranges of companies are stored in the order of their company. Elasticsearch then decompresses a block
 * once for many records. An index keeps the order that it was created with.
 */
const RECORD_SORT: Partial<Record<RecordIndex, string>> = {
  company: "id",
  round: "company_id",
  signal: "company_id",
  snapshot: "company_id",
};

/** The indices that hold what was ingested and the service's own state: records, edges, stakes, records of sets, accounts, control, the dashboard's and deliveries. */
export function storeIndices(names: IndexNames, layout: Layout): estypes.IndicesCreateRequest[] {
  const record = (type: RecordIndex) => ({
    index: names.record(type),
    ...storeIndex({ id: keyword, deleted: { type: "boolean" }, ...RECORD_FIELDS[type] }, layout, RECORD_SORT[type]),
  });
  const small = { ...layout, shards: 1 };
  const control = storeIndex(CONTROL_FIELDS, small);
  const _meta = { format: INSTALLATION_FORMAT };
  return [
    ...RECORD_TYPES.map(record),
    record("snapshot"),
    record("merge"),
    { index: names.edges, ...storeIndex({ type: keyword, record_id: keyword, company_id: keyword }, layout) },
    { index: names.stakes, ...storeIndex({ id: keyword, round_id: keyword }, layout) },
    {
      index: names.setRecords,
      ...storeIndex({ id: keyword, set: keyword, type: keyword, record_id: keyword, run: keyword }, layout),
    },
    { index: names.accounts, ...storeIndex(ACCOUNT_FIELDS, small) },
    { index: names.control, ...control, mappings: { _meta, ...control.mappings } },
    { index: names.dashboard, ...storeIndex(DASHBOARD_FIELDS, small) },
    { index: names.deliveries, ...storeIndex(DELIVERY_FIELDS, small) },
  ];
}

/** The names of these indices. */
export const storeNames = (names: IndexNames): string[] =>
  storeIndices(names, { shards: 1, replicas: 0 }).map(({ index }) => index);

function storeIndex(properties: Record<string, estypes.MappingProperty>, layout: Layout, sortedBy?: string) {
  return {
    settings: {
      number_of_shards: layout.shards,
      number_of_replicas: layout.replicas,
      refresh_interval: "-1",
      "merge.policy.deletes_pct_allowed": REPLACED_PERCENT,
      "merge.policy.segments_per_tier": SEGMENTS_PER_TIER,
      ...(sortedBy === undefined ? {} : { "sort.field": sortedBy }),
    },
    mappings: { dynamic: false, properties } satisfies estypes.MappingTypeMapping,
  };
}
