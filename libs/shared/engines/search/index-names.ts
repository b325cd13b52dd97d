import type { RecordType } from "../../domain/records/record.ts";

/** The read models: what the API searches. */
export const READ_MODELS = ["funding", "companies", "investors"] as const;
export type ReadModel = (typeof READ_MODELS)[number];

/** Those whose documents are derived from records alone. Investors are derived from funding documents, in a second stage. */
export const FIRST_STAGE = ["funding", "companies"] as const satisfies readonly ReadModel[];
export type FirstStage = (typeof FIRST_STAGE)[number];

/** The use of an index of a read model; each role is an alias. */
export const INDEX_ROLES = ["live", "building", "previous"] as const;
export type IndexRole = (typeof INDEX_ROLES)[number];

/** Each type of records has an index; snapshots and merges have one each for all types. */
export type RecordIndex = RecordType | "snapshot" | "merge";

/** A time in UTC, to the millisecond, as names of indices have it. */
const stampOf = (at: Date): string => at.toISOString().toLowerCase().replace(/[-:.]/g, "");

/** Whether an index is a generation of the read model with this name. */
export const isStamped = (index: string, name: string): boolean =>
  index.startsWith(`${name}-`) && /^\d{8}t\d{9}z$/.test(index.slice(name.length + 1));

/** Names of all indices and aliases of one installation, made from its namespace (`tranche`). */
export function indexNames(namespace: string) {
  return {
    record: (type: RecordIndex) => `${namespace}-records-${type}`,
    edges: `${namespace}-edges`,
    stakes: `${namespace}-stakes`,
    /** The sets that records came with. */
    setRecords: `${namespace}-set-records`,
    accounts: `${namespace}-accounts`,
    control: `${namespace}-control`,
    /** Members, sign-in links and saved searches. */
    dashboard: `${namespace}-dashboard`,
    /** Deliveries of webhooks, and how far each of them is. */
    deliveries: `${namespace}-deliveries`,
    /** The index template that keeps Elasticsearch from creating the store's indices by itself. */
    storeTemplate: `${namespace}-store`,
    /** The alias of a role; the live one is the read model's plain name. */
    role: (model: ReadModel, role: IndexRole) => `${namespace}-${model}${role === "live" ? "" : `-${role}`}`,
    /** A new index of a read model; `at` in UTC, to the millisecond. */
    generation: (model: ReadModel, at: Date) => `${namespace}-${model}-${stampOf(at)}`,
    /** The index's own alias: writes go through it with `require_alias`, so none of them re-creates a deleted index. */
    ownAlias: (index: string) => `${index}-write`,
  };
}
/** Whether an index holds what was ingested, or the service's own state: such an index is never missing for long. */
export const isStoreIndex = (index: string): boolean =>
  /-(records-[a-z]+|edges|stakes|set-records|accounts|control|dashboard|deliveries)$/.test(index);

export type IndexNames = ReturnType<typeof indexNames>;
