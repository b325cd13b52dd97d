import { type Fields, type FieldValue, united } from "./fields.ts";

/** Fields of a record that a later row gives otherwise: the earlier row's value stays. */
export type Merged = { fields: Fields; changed: boolean; differing: string[] };

/** A record as earlier rows made it, with what a later row adds: values where there were none, and items of lists. */
export function mergedFields(earlier: Fields, added: Fields): Merged {
  const fields: Fields = { ...earlier };
  const differing: string[] = [];
  let changed = false;
  for (const [name, value] of Object.entries(added)) {
    const known = earlier[name] ?? null;
    if (value === null || isSame(known, value)) continue;
    if (known !== null && !(Array.isArray(known) && Array.isArray(value))) {
      differing.push(name);
      continue;
    }
    const next: FieldValue = Array.isArray(known) && Array.isArray(value) ? united(known, value) : value;
    if (isSame(known, next)) continue;
    fields[name] = next as FieldValue;
    changed = true;
  }
  return { fields, changed, differing };
}

const isSame = (a: FieldValue, b: FieldValue): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && JSON.stringify(a) === JSON.stringify(b));
