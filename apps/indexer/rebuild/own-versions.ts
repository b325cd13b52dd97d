import { readIndexVersions } from "@tranche/read-models/indices/index-versions";
import { isNewer, isOlder, OWN_VERSIONS, shownVersions } from "@tranche/read-models/indices/versions";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import type { Rebuild } from "@tranche/shared/protocol/rebuild/state";
import { NewerJob } from "../write/newer-version.ts";
import type { RebuildParts } from "./parts.ts";
import { isSwapped } from "./swap.ts";
import { RebuildFailed } from "./step.ts";

/**
 * Makes sure that this version may run a rebuild. Throws NewerVersion or NewerJob when a later version planned or began it, and
 * RebuildFailed when an earlier version began it: its indices would hold documents of two versions.
 */
export async function assertOwnVersions(
  { client, names, versions }: Pick<RebuildParts, "client" | "names" | "versions">,
  rebuild: Rebuild,
): Promise<void> {
  const roles = await versions.admit(await readIndexRoles(client, names));
  // Only its end is left to be noted.
  if (isSwapped(roles, rebuild)) return;
  if (isNewer(rebuild.versions, OWN_VERSIONS)) {
    throw new NewerJob(`rebuild ${rebuild.id} was planned by a later version (${shownVersions(rebuild.versions)})`);
  }
  for (const { created, index } of await readIndexVersions(client, Object.values(rebuild.indices))) {
    if (isNewer(created, OWN_VERSIONS))
      throw new NewerJob(`a later version created ${index} (${shownVersions(created)})`);
    if (isOlder(created, OWN_VERSIONS)) {
      throw new RebuildFailed("an earlier version of Tranche began it; start it again: ops reindex");
    }
  }
}
