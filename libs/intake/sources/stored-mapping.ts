import type { MappingStore, StoredMapping } from "@tranche/shared/accounts/mapping-store";
import { assertAnswered, parseMapping } from "../mapping/mapping.ts";
import type { Mapping } from "../mapping/schema.ts";

/** A stored mapping: `name@version`, and what it says. */
export type NamedMapping = { named: string; mapping: Mapping };

/** The newest version of a stored mapping, or the given one; undefined when there is none. Throws BadMapping when it can't be used. */
export async function storedMapping(
  mappings: Pick<MappingStore, "find">,
  { name, version }: { name: string; version: number | undefined },
): Promise<NamedMapping | undefined> {
  const found = await mappings.find(name, version);
  return found && { named: found.key_id, mapping: read(found) };
}

/** It was checked when it was stored. This version may know it differently. */
function read({ key_id, content }: StoredMapping): Mapping {
  const mapping = parseMapping(JSON.parse(content), `mapping ${key_id}`);
  assertAnswered(mapping, `mapping ${key_id}`);
  return mapping;
}
