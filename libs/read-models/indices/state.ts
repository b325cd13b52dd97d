import type { Client } from "@elastic/elasticsearch";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { type IndexNames, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { type IndexVersion, readIndexVersions } from "./index-versions.ts";
import { isNewer, isOlder, OWN_VERSIONS, type Versions } from "./versions.ts";

/**
 * Why a live index needs a rebuild. `mapping`: its documents lack fields. `derivation`: its documents follow earlier rules. `mixed`:
 * a later version has written to it, so its documents may follow two sets of rules. `newer`: it is of a later version than this program.
 */
export type Outdated = { index: string; why: ("mapping" | "derivation" | "mixed" | "newer")[] };

/** The live indices that do not fit this version. */
export async function outdatedIndices(client: Client, names: IndexNames, own = OWN_VERSIONS): Promise<Outdated[]> {
  const roles = await readIndexRoles(client, names);
  const live = READ_MODELS.flatMap((model) => roles[model].live ?? []);
  const found = await readIndexVersions(client, live);
  return live.flatMap((index) => {
    const version = found.find((each) => each.index === index);
    const why = version ? whyOf(version, own) : [];
    return why.length > 0 ? [{ index, why }] : [];
  });
}

function whyOf({ created, also }: IndexVersion, own: Versions): Outdated["why"] {
  if (isNewer(created, own)) return ["newer"];
  const why: Outdated["why"] = [];
  if (created.schema < own.schema) why.push("mapping");
  if (created.derivation < own.derivation) why.push("derivation");
  if (!isOlder(created, own) && also && isNewer(also, own)) why.push("mixed");
  return why;
}
