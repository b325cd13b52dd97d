import { byCodePoint } from "../text/order.ts";
import type { RecordBodies, RecordType } from "./record.ts";
import { NAMED_BY_MERGES, searchedFields, type StoredMerge, type StoredRecord } from "./stored.ts";
import { slugOf } from "./text.ts";

const REQUIRED: { [T in RecordType]: readonly (keyof RecordBodies[T])[] } = {
  company: ["name"],
  investor: ["name"],
  round: ["company_id", "announced_date", "amount_usd"],
  signal: ["company_id", "key", "detected_at"],
};

/** What is stored for fields that nothing was said of. */
const DEFAULTS: { [T in RecordType]: Partial<RecordBodies[T]> } = {
  company: {
    aliases: [],
    country: null,
    city: null,
    category: null,
    domain: null,
    tech_stack: null,
    headcount: null,
    founded_year: null,
  },
  investor: { aliases: [], country: null, kind: null },
  round: { deal_type: "undisclosed", deal_type_label: null, investors: [], source_url: null },
  signal: { expires_at: null, strength: 1, evidence_url: null },
};

/** Whether these fields alone make a record. */
export function isWhole<T extends RecordType>(type: T, fields: Partial<RecordBodies[T]>): boolean {
  return REQUIRED[type].every((field) => fields[field] !== undefined);
}

/** What a record begins with that is made of merges alone, the newest of them on this day. */
function blank(type: RecordType, id: string, name: string | undefined, day: string): object {
  return {
    id,
    ...(name === undefined ? {} : { name, slug: slugOf(name, id) }),
    ...DEFAULTS[type],
    ...(type === "company" ? { observed_at: day } : {}),
  };
}

/**
 * A record with the merges of it on top, in the order of their versions. It depends on nothing but which writes there were: an
 * upsert replaces older merges, a delete those of its own version, too; merges of what is not there make the record as soon as they
 * carry every required field, and wait for it until then. Undefined, or a deleted record, while there is none.
 */
export function overlaid<T extends RecordType>(
  type: T,
  stored: StoredRecord<T> | undefined,
  merges: readonly StoredMerge[],
): StoredRecord<T> | undefined {
  const on = merges.filter((merge) => isOnTop(merge, stored)).toSorted(inOrder);
  const newest = on.at(-1);
  if (newest === undefined) return stored?.version === NAMED_BY_MERGES ? undefined : stored;
  const fields = Object.assign({}, ...on.map((merge) => merge.fields)) as Partial<RecordBodies[T]>;
  if (!stored?.body && !isWhole(type, fields)) return stored?.version === NAMED_BY_MERGES ? undefined : stored;
  const id = newest.record_id;
  const { name } = fields as { name?: string };
  const start = stored?.body ?? blank(type, id, name, newest.updated_at.slice(0, "YYYY-MM-DD".length));
  const body = { ...start, ...fields } as RecordBodies[T];
  const times = [...on, ...(stored?.body ? [stored] : [])].map((write) => write.updated_at);
  return {
    id,
    version: Math.max(newest.version, stored?.version ?? 0),
    updated_at: times.toSorted().at(-1)!,
    ...searchedFields(type, body),
    body,
  };
}

/** Whether a merge says more than the record that is stored: it is newer, or as new as an upsert. */
export function isOnTop(merge: StoredMerge, stored: StoredRecord | undefined): boolean {
  if (stored === undefined) return true;
  return stored.body ? merge.version >= stored.version : merge.version > stored.version;
}

/** Those of one version carry different fields; where they share some, the order is at least always the same. */
function inOrder(a: StoredMerge, b: StoredMerge): number {
  return a.version - b.version || byCodePoint(a.id, b.id);
}
