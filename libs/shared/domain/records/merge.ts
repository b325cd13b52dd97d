import { INGESTED_KEYS } from "../signals/catalogue.ts";
import type { RecordBodies, RecordType } from "./record.ts";

/**
 * Every required field beside the id. The values take the place of those that a merge leaves out while its other fields are checked;
 * they are dropped afterwards.
 */
const STAND_INS: Record<RecordType, object> = {
  company: { name: "-" },
  investor: { name: "-" },
  round: { company_id: "-", announced_date: "1970-01-01", amount_usd: null },
  signal: { company_id: "-", key: INGESTED_KEYS[0], detected_at: "0001-01-01" },
};

/** A merge as the whole record that it would be. A signal without id is named by its company, key and day: these have to be there. */
export function filledUp(type: RecordType, input: object): object {
  const isNamed = type !== "signal" || ("id" in input && Boolean(input.id));
  return isNamed ? { ...STAND_INS[type], ...input } : input;
}

/** Whether these fields alone make a record. */
export function isWhole(type: RecordType, fields: object): boolean {
  return Object.keys(STAND_INS[type]).every((field) => field in fields);
}

/** Fields that are stored under another name, or bring others with them. */
const STORED_AS: Record<string, readonly string[]> = {
  id: [],
  investor_ids: ["investors"],
  // The source's label goes with it.
  deal_type: ["deal_type", "deal_type_label"],
  // An observation belongs to a day, today unless the merge says another one.
  tech_stack: ["tech_stack", "observed_at"],
  headcount: ["headcount", "observed_at"],
};

/** The fields that a merge carries, taken from the whole record made of it: those given as null too, those left out not. */
export function carriedFields<T extends RecordType>(input: object, body: RecordBodies[T]): Partial<RecordBodies[T]> {
  const carried = Object.keys(input)
    .flatMap((field) => STORED_AS[field] ?? [field])
    .filter((field) => Object.hasOwn(body, field));
  return Object.fromEntries(carried.map((field) => [field, body[field as keyof typeof body]])) as Partial<
    RecordBodies[T]
  >;
}

/** The problem of a merge that carries these fields, if any; `read`: its fields as they were read. */
export function mergeProblem(
  input: object,
  read: object,
  merge: Partial<RecordBodies[RecordType]>,
): { field: string; reason: string } | undefined {
  if (Object.keys(merge).length === 0)
    return { field: "", reason: "a merge has to carry at least one field beside the id" };
  if ("slug" in merge && "slug" in read && read.slug === null && !("name" in input)) {
    return { field: "slug", reason: "must not be empty in a merge that carries no name to make it from" };
  }
  return undefined;
}
