import type { PipelineParts } from "../pipeline/parts.ts";
import { purgeDeleted } from "./deleted.ts";
import { purgeMerges } from "./merges.ts";
import type { Purged } from "./purged.ts";
import { purgeSnapshots } from "./snapshots.ts";

/**
 * Removes expired data: merges that a newer upsert or delete has replaced, deleted records with their edges and stakes after 30 days,
 * snapshots after 13 months. It changes no document of a read model, also with concurrent writes: a document is removed only if
 * nobody has written it since it was read.
 */
export async function purge(parts: PipelineParts): Promise<Purged> {
  // Merges first: a merge that is older than a delete would apply again once the delete is removed.
  const merges = await purgeMerges(parts);
  const deleted = await purgeDeleted(parts);
  const purged = { ...deleted, merges, snapshots: deleted.snapshots + (await purgeSnapshots(parts)) };
  if (Object.values(purged).some((count) => count > 0)) parts.log.info({ purged }, "removed expired data");
  return purged;
}
