import { isDeepStrictEqual } from "node:util";
import type { Client } from "@elastic/elasticsearch";
import { overlaid } from "@tranche/shared/domain/records/overlay";
import type { ParsedRecord } from "@tranche/shared/domain/records/parse";
import { RECORD_TYPES, type RecordType } from "@tranche/shared/domain/records/record";
import type { StoredMerge, StoredRecord } from "@tranche/shared/domain/records/stored";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { openMerges } from "@tranche/shared/engines/search/merges";
import { storedById } from "@tranche/shared/engines/search/records";

/**
 * The effect of an ingest on a record. `replaced`: an upsert changes it; `merged`: a merge changes it; `unchanged`: the store already has
 * the same, or something newer; `waiting`: it does not exist, and the merge alone does not make it.
 */
type Effect = "created" | "replaced" | "merged" | "deleted" | "unchanged" | "waiting";

/** The number of records with each effect; every record counts once. */
export type Effects = Record<Effect, number>;

export type Comparison = {
  /** The effect of ingesting these records on each, and whether it existed before. */
  add(records: readonly ParsedRecord[]): Promise<{ effect: Effect; exists: boolean }[]>;
  effects(): Effects;
};

type Stores = { client: Client; names: IndexNames };

type Found = { stored: StoredRecord | undefined; merges: readonly StoredMerge[] };

/** Stands for the version that a record without one takes: newer than everything stored. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/**
 * Compares records with what is stored. A record counts once, however often it comes.
 * `ownFrom`: versions from here on were taken by this ingest, so a record with one did not exist before it.
 * `remembersNew`: also remembers new records, which takes memory. A dry run needs it because it stores nothing, and --only-new because
 * the indexer may not have stored them yet when they come again.
 * `remembers`: how many records are remembered. One that comes again after more others counts again.
 */
export function createComparison(
  stores: Stores,
  options: { ownFrom?: number; remembersNew: boolean; remembers?: number | undefined },
): Comparison {
  const { ownFrom = Infinity, remembersNew, remembers = Infinity } = options;
  const effects: Effects = { created: 0, replaced: 0, merged: 0, deleted: 0, unchanged: 0, waiting: 0 };
  const counted = new Map<string, Effect>();

  const count = (key: string, effect: Effect) => {
    const before = counted.get(key);
    // Where a record comes several times, a write that changes it outweighs one that does not.
    if (before !== undefined && before !== "unchanged" && before !== "waiting") return;
    if (before !== undefined) effects[before]--;
    effects[effect]++;
    counted.set(key, effect);
  };

  return {
    async add(records) {
      const found = await readAll(stores, records);
      const created = new Set<string>();
      const results = records.map((record) => {
        const key = keyOf(record);
        const known = found.get(key)!;
        const own = known.stored !== undefined && known.stored.version >= ownFrom;
        const others = known.merges.filter((merge) => merge.version < ownFrom);
        const before = own ? undefined : overlaid(record.type, known.stored, others);
        const exists = counted.has(key) ? !isNew(counted.get(key)!) : isThere(before);
        const effect = effectOf(record, known, before);
        if (!own) count(key, effect);
        if (effect === "created") created.add(key);
        return { effect, exists };
      });
      for (const key of counted.keys()) {
        if (counted.size <= remembers) break;
        counted.delete(key);
      }
      if (!remembersNew) for (const key of created) if (counted.get(key) === "created") counted.delete(key);
      return results;
    },
    effects: () => ({ ...effects }),
  };
}

const isNew = (effect: Effect): boolean => effect === "created" || effect === "waiting";

const keyOf = ({ type, id }: { type: RecordType; id: string }): string => `${type}:${id}`;

async function readAll(stores: Stores, records: readonly ParsedRecord[]): Promise<Map<string, Found>> {
  const found = new Map<string, Found>(records.map((record) => [keyOf(record), { stored: undefined, merges: [] }]));
  const allMerges = await openMerges(stores);
  await Promise.all(
    RECORD_TYPES.map(async (type) => {
      const ids = [...new Set(records.filter((record) => record.type === type).map(({ id }) => id))];
      if (ids.length === 0) return;
      const [stored, merges] = await Promise.all([storedById(stores, type, ids), allMerges.of(type, ids)]);
      const byId = new Map(stored.map((record) => [record.id, record]));
      for (const id of ids) found.set(keyOf({ type, id }), { stored: byId.get(id), merges: merges.get(id) ?? [] });
    }),
  );
  return found;
}

function effectOf(record: ParsedRecord, found: Found, before: StoredRecord | undefined): Effect {
  const after = afterwards(record, found);
  if (!isThere(after)) return isThere(before) ? "deleted" : record.merge ? "waiting" : "unchanged";
  if (!isThere(before)) return "created";
  if (isDeepStrictEqual(content(before), content(after))) return "unchanged";
  return record.merge ? "merged" : "replaced";
}

/** The record as it is when this write is stored, too. */
function afterwards({ type, id, version = NEWEST, body, merge }: ParsedRecord, found: Found): StoredRecord | undefined {
  const { stored, merges } = found;
  const write = { id, version, updated_at: "" };
  if (merge) {
    return overlaid(type, stored, [...merges, { ...write, type, record_id: id, fields: merge }]);
  }
  if (stored && stored.version > version) return overlaid(type, stored, merges);
  return overlaid(type, { ...write, body: body!, ...(body === null ? { deleted: true as const } : {}) }, merges);
}

const isThere = (record: StoredRecord | undefined): record is StoredRecord => Boolean(record?.body);

/** `observed_at` is today by default, so it differs whenever a file is ingested again: it alone is not a change. */
function content({ body }: StoredRecord): object {
  return { ...body, observed_at: undefined };
}
