import { existsSync, statSync } from "node:fs";
import { BadMapping } from "@tranche/intake/mapping/bad-mapping";
import { readMapping } from "@tranche/intake/sources/mapping-file";
import type { NamedMapping } from "@tranche/intake/sources/stored-mapping";
import { mappingNameOf } from "@tranche/shared/accounts/mapping-store";

/** The mapping of `--map`: a file, or where there is none of this name, a stored mapping. Throws BadMapping. */
export async function mappingOf(
  map: string,
  stored: (asked: { name: string; version: number | undefined }) => Promise<NamedMapping | undefined>,
): Promise<Pick<NamedMapping, "mapping"> & Partial<NamedMapping>> {
  const isThere = existsSync(map);
  // A pipe is read like a file.
  if (isThere && !statSync(map).isDirectory()) return { mapping: readMapping(map) };
  const asked = mappingNameOf(map);
  const found = asked && (await stored(asked));
  if (found) return found;
  const what = isThere ? "is a folder, expected a file" : "there is no such file";
  throw new BadMapping(`--map ${map}: ${what}, and no stored mapping of this name`);
}
