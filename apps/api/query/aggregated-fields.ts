import type { Aggregations } from "@tranche/read-models/query/groups";

/** The fields whose values aggregations read, those within other aggregations too. */
export function aggregatedFields(aggregations: Aggregations): string[] {
  const found = new Set<string>();
  const collect = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [name, value] of Object.entries(part)) {
      if (name === "field" && typeof value === "string") found.add(value);
      else collect(value);
    }
  };
  collect(aggregations);
  return [...found];
}
