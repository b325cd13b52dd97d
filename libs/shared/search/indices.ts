import { setTimeout as pause } from "node:timers/promises";
import type { Client, estypes } from "@elastic/elasticsearch";
import { RECORD_TYPES, type RecordType } from "../records/record.ts";
import { retryForever } from "./retry-forever.ts";

/** The read models: what the API searches. */
export const READ_MODELS = ["funding", "signals"] as const;
export type ReadModel = (typeof READ_MODELS)[number];

/** What an index of a read model is for; each role is an alias. */
export const ROLES = ["live", "building", "previous"] as const;
export type Role = (typeof ROLES)[number];

/** Each type of records has an index, snapshots and merges have one for all. */
export type RecordIndex = RecordType | "snapshot" | "merge";

/** Names of all indices and aliases of one installation, made from its namespace (`tranche`). */
export function indexNames(namespace: string) {
  return {
    record: (type: RecordIndex) => `${namespace}-records-${type}`,
    edges: `${namespace}-edges`,
    accounts: `${namespace}-accounts`,
    control: `${namespace}-control`,
    /** The alias of a role; the live one is the read model's plain name. */
    role: (model: ReadModel, role: Role) => `${namespace}-${model}${role === "live" ? "" : `-${role}`}`,
    /** A new index of a read model; `at` in UTC, to the millisecond. */
    generation: (model: ReadModel, at: Date) =>
      `${namespace}-${model}-${at.toISOString().toLowerCase().replace(/[-:.]/g, "")}`,
    /** The index's own alias: writes go through it with `require_alias`, so none of them re-creates a deleted index. */
    ownAlias: (index: string) => `${index}-write`,
  };
}
export type IndexNames = ReturnType<typeof indexNames>;

const keyword = { type: "keyword" } as const;
/** Shown or kept, never searched. */
const stored = { type: "object", enabled: false } as const;
const date = { type: "date", format: "strict_date" } as const;

const READ_MODEL_MAPPINGS: Record<ReadModel, estypes.MappingTypeMapping> = {
  funding: {
    dynamic: "strict",
    properties: {
      listed: { type: "boolean" },
      gone: { type: "boolean" },
      id: keyword,
      company_id: keyword,
      announced_date: date,
      deal_type: keyword,
      amount_usd: { type: "double" },
      country: keyword,
      city_key: keyword,
      category_key: keyword,
      investor_keys: keyword,
      investor_ids: keyword,
      row: stored,
    },
  },
  signals: {
    dynamic: "strict",
    properties: {
      listed: { type: "boolean" },
      gone: { type: "boolean" },
      company_id: keyword,
      slug: keyword,
      name_key: keyword,
      name_head: keyword,
      country: keyword,
      city_key: keyword,
      category_key: keyword,
      deal_type: keyword,
      latest_announced_date: date,
      latest_amount_usd: { type: "double" },
      signal_keys: keyword,
      signal_score: { type: "short" },
      tech_keys: keyword,
      next_change_at: date,
      row: stored,
      lead_investors: { ...keyword, index: false, doc_values: false },
      profile: stored,
      instances: stored,
    },
  },
};

/** The fields that documents of a read model can be found and ordered by: all but those that are only shown or kept. */
export const searchedFields = (model: ReadModel): string[] =>
  Object.entries(READ_MODEL_MAPPINGS[model].properties!).flatMap(([field, mapping]) =>
    mapping.type === "object" || ("index" in mapping && mapping.index === false) ? [] : [field],
  );

/** Index sort = the default order of the list, so that a page of it ends early. */
const INDEX_SORT: Record<ReadModel, { field: string[]; order: ("asc" | "desc")[] }> = {
  funding: { field: ["announced_date", "id"], order: ["desc", "asc"] },
  signals: { field: ["signal_score", "company_id"], order: ["desc", "asc"] },
};

/** Raised when a mapping or a derivation rule changes: a rebuild is what brings it out. */
export const READ_MODEL_SCHEMA = 2;

/**
 * How many replaced documents may stay in an index. Half of what the engine did for a stream of updates was merging them away
 * (with its default of 20); what is searched all the time keeps fewer.
 */
const REPLACED_PERCENT = { store: 50, readModel: 33 };

/** Segments of about one size before they are merged, where records are stored: they are searched by the indexer alone, and seldom. */
const STORE_SEGMENTS_PER_TIER = 20;

/** Any row can be reached; how deep pages stay cheap is the query's business. */
const NO_RESULT_WINDOW = 2_147_483_647;

const LOOK_EVERY_MS = 100;

export type Layout = { shards: number; replicas: number };

export function readModelIndex(model: ReadModel, layout: Layout) {
  return {
    settings: {
      number_of_shards: layout.shards,
      number_of_replicas: layout.replicas,
      // What is visible changes only when the indexer says so: it refreshes before it announces a new generation.
      refresh_interval: "-1",
      max_result_window: NO_RESULT_WINDOW,
      "merge.policy.deletes_pct_allowed": REPLACED_PERCENT.readModel,
      "sort.field": INDEX_SORT[model].field,
      "sort.order": INDEX_SORT[model].order,
    },
    mappings: { _meta: { schema: READ_MODEL_SCHEMA }, ...READ_MODEL_MAPPINGS[model] },
  };
}

const RECORD_FIELDS: Record<RecordIndex, Record<string, estypes.MappingProperty>> = {
  company: { slug: keyword },
  investor: { slug: keyword },
  round: { company_id: keyword, investor_ids: keyword },
  signal: { company_id: keyword },
  snapshot: { company_id: keyword, observed_at: date },
  merge: { type: keyword, record_id: keyword, slug: keyword, company_id: keyword, investor_ids: keyword },
};

const ACCOUNT_FIELDS: Record<string, estypes.MappingProperty> = {
  kind: keyword,
  account: keyword,
  name: keyword,
  key_id: keyword,
  key_hash: keyword,
  audit_id: keyword,
  at: { type: "date" },
};

/**
 * Records that are read for whole ranges of companies stand next to each other by company: a block of them is unpacked once and not
 * for each record. An index keeps the order that it was created with.
 */
const RECORD_SORT: Partial<Record<RecordIndex, string>> = {
  company: "id",
  round: "company_id",
  signal: "company_id",
  snapshot: "company_id",
};

function storeIndex(properties: Record<string, estypes.MappingProperty>, layout: Layout, sortedBy?: string) {
  return {
    settings: {
      number_of_shards: layout.shards,
      number_of_replicas: layout.replicas,
      refresh_interval: "-1",
      "merge.policy.deletes_pct_allowed": REPLACED_PERCENT.store,
      "merge.policy.segments_per_tier": STORE_SEGMENTS_PER_TIER,
      ...(sortedBy === undefined ? {} : { "sort.field": sortedBy }),
    },
    mappings: { dynamic: false, properties } satisfies estypes.MappingTypeMapping,
  };
}

/**
 * Creates what is missing: the indices of records, edges, accounts and control, and a first index for each read model.
 * Safe to call from several processes at once and at every start. Waits while Elasticsearch is away.
 * @returns the names under which all of them are searched
 */
export async function ensureIndices(client: Client, names: IndexNames, layout: Layout): Promise<string[]> {
  const record = (type: RecordIndex) => ({
    index: names.record(type),
    ...storeIndex({ id: keyword, deleted: { type: "boolean" }, ...RECORD_FIELDS[type] }, layout, RECORD_SORT[type]),
  });
  const wanted: estypes.IndicesCreateRequest[] = [
    ...RECORD_TYPES.map(record),
    record("snapshot"),
    record("merge"),
    { index: names.edges, ...storeIndex({ type: keyword, record_id: keyword, company_id: keyword }, layout) },
    {
      index: names.accounts,
      ...storeIndex(ACCOUNT_FIELDS, { ...layout, shards: 1 }),
    },
    { index: names.control, ...storeIndex({ kind: keyword, open: { type: "boolean" } }, { ...layout, shards: 1 }) },
  ];
  await Promise.all(wanted.map((request) => createUnlessThere(client, request)));
  await Promise.all(READ_MODELS.map((model) => ensureReadModel(client, names, model, layout)));
  return [...wanted.map(({ index }) => index), ...READ_MODELS.map((model) => names.role(model, "live"))];
}

/**
 * Waits until indices that are there can be searched: another process may have created one a moment ago, or the engine is still
 * reading it. Waits while Elasticsearch is away, for missing shards no longer than `withinSeconds`.
 * @returns the indices that can't be searched even then
 */
export async function untilSearchable(client: Client, index: string[], withinSeconds: number): Promise<string[]> {
  const end = performance.now() + withinSeconds * 1000;
  for (;;) {
    const { indices } = await retryForever(() => client.cluster.health({ index, level: "indices" }));
    // Its status would not do: an index that is being created is yellow before it has a shard.
    const missing = Object.entries(indices ?? {}).flatMap(([name, { active_primary_shards, number_of_shards }]) =>
      active_primary_shards < number_of_shards ? [name] : [],
    );
    if (missing.length === 0 || performance.now() > end) return missing;
    await pause(LOOK_EVERY_MS);
  }
}

/**
 * Creates the first index of a read model, named after its time, unless there is one. Several processes may do so at once: the alias
 * has at most one write index, so Elasticsearch refuses all but one of them.
 */
async function ensureReadModel(client: Client, names: IndexNames, model: ReadModel, layout: Layout): Promise<void> {
  const live = names.role(model, "live");
  const exists = () => client.indices.existsAlias({ name: live });
  if (await retryForever(exists)) return;
  const index = names.generation(model, new Date());
  const aliases = { [live]: { is_write_index: true }, [names.ownAlias(index)]: {} };
  await retryForever(async () => {
    try {
      await client.indices.create({ index, aliases, ...readModelIndex(model, layout) });
    } catch (error) {
      if (!(await exists())) throw error;
    }
  });
}

async function createUnlessThere(client: Client, request: estypes.IndicesCreateRequest): Promise<void> {
  try {
    await retryForever(() => client.indices.create(request));
  } catch (error) {
    const type = (error as { body?: { error?: { type?: string } } }).body?.error?.type;
    if (type !== "resource_already_exists_exception") throw error;
  }
}
