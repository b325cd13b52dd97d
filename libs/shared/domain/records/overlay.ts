import { byCodePoint } from "../text/order.ts";
import { isWhole } from "./merge.ts";
import type { RecordBodies, RecordType } from "./record.ts";
import { NAMED_BY_MERGES, searchedFields, type StoredMerge, type StoredRecord } from "./stored.ts";
import { slugOf } from "./text.ts";

/** The values of optional fields that no merge carries. */
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

/** The base of a record that is made of merges alone; `day`: that of the newest merge. */
function blank(type: RecordType, id: string, name: string | undefined, day: string): object {
  return {
    id,
    ...(name === undefined ? {} : { name, slug: slugOf(name, id) }),
    ...DEFAULTS[type],
    ...(type === "company" ? { observed_at: day } : {}),
  };
}

/**
 * A record with its merges on top, in the order of their versions. The result depends only on which writes there were, not on their
 * order of arrival: an upsert replaces older merges, a delete also those of its own version. Merges of a record that does not exist
 * make it once they carry every required field, and wait until then. Returns undefined, or the deleted record, while there is none.
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
  const { from } = newest;
  const times = [...on, ...(stored?.body ? [stored] : [])].map((write) => write.updated_at);
  return {
    id,
    version: Math.max(newest.version, stored?.version ?? 0),
    updated_at: times.toSorted().at(-1)!,
    ...searchedFields(type, body),
    // Nobody merges below what is stored, so the newest merge is the newest write.
    ...(from ? { from } : {}),
    body,
  };
}

/** Whether a merge still counts: it is newer than what is stored, or has the same version as a stored upsert. */
export function isOnTop(merge: StoredMerge, stored: StoredRecord | undefined): boolean {
  if (stored === undefined) return true;
  return stored.body ? merge.version >= stored.version : merge.version > stored.version;
}

/** Merges of one version carry different sets of fields. Where these overlap, the order by id at least never varies. */
function inOrder(a: StoredMerge, b: StoredMerge): number {
  return a.version - b.version || byCodePoint(a.id, b.id);
}
