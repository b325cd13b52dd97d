import type { SetView } from "../data.ts";
import { counted } from "../parts/figures.ts";

const RULES =
  "when the file is read to its end and no row is refused. Records that another set has stay. Where the set has at least 20 records of a type, at most 20 % of them go at once.";

/** The records that a file of a set deletes. `found`: the set; `null` where it is new, undefined while that is not known. */
export function whatItDeletes(name: string, found: SetView | null | undefined): string {
  if (found === undefined) return `What the set '${name}' had and this file lacks is deleted, ${RULES}`;
  if (found === null) {
    return `The set '${name}' is new, so nothing is deleted now. The next file of it deletes what that one lacks.`;
  }
  const has = Object.entries(found.records).map(([type, count]) => counted(count, `${type} record`));
  return `The set '${name}' has ${has.join(", ")}. Those that this file lacks are deleted, ${RULES}`;
}
