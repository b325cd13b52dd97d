import type { DueParts } from "../feed-serving/publish-due.ts";
import { purgeDeleted } from "./deleted.ts";
import { purgeMerges } from "./merges.ts";
import { purgeGone } from "./gone.ts";
import type { Purged } from "./purged.ts";
import { purgeSnapshots } from "./snapshots.ts";

/**
 * Removes expired data: merges that a newer upsert or delete has replaced, deleted records with their edges and stakes after 30 days,
 * snapshots after 13 months, and what is gone from the lists for 30 days. It changes nothing that lists show, also with concurrent writes: a document is removed only if
 * nobody has written it since it was read.
 */
export async function purge(parts: DueParts): Promise<Purged> {
  // Merges first: a merge that is older than a delete would apply again once the delete is removed.
  const merges = await purgeMerges(parts);
  const deleted = await purgeDeleted(parts);
  const gone = await purgeGone(parts);
  const purged = { ...deleted, merges, gone, snapshots: deleted.snapshots + (await purgeSnapshots(parts)) };
  if (Object.values(purged).some((count) => count > 0)) parts.log.info({ purged }, "removed expired data");
  return purged;
}
