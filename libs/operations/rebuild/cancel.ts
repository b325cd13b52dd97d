import type { Client } from "@elastic/elasticsearch";
import { type IndexNames, READ_MODELS } from "@tranche/shared/search/index-names";
import { moveRoles, readRoles } from "@tranche/shared/rebuild/roles";
import { isRunning, modelsOf, type Rebuild, RebuildMoved, type RebuildStore } from "@tranche/shared/rebuild/state";

export type Cancellation = { outcome: "cancelled" | "too_late" | "none_running"; rebuild: Rebuild | undefined };

/**
 * Cancels the running rebuild: the live index stays as it is. `too_late` when its new indices are live already. The indexer deletes the
 * new indices.
 */
export async function cancelRebuild(
  client: Client,
  names: IndexNames,
  rebuilds: RebuildStore,
  reason: string,
): Promise<Cancellation> {
  for (;;) {
    const read = await rebuilds.read();
    if (!read || !isRunning(read.rebuild)) return { outcome: "none_running", rebuild: read?.rebuild };
    try {
      const cancelled = await rebuilds.save(read, { state: "cancelled", reason });
      // A worker may be about to swap. It needs the building role for that, so the first one to remove the role wins.
      const roles = await readRoles(client, names);
      const building = READ_MODELS.flatMap((model) => {
        const from = roles[model].building;
        return from === read.rebuild.indices[model] ? [{ model, role: "building" as const, from }] : [];
      });
      if (building.length > 0) await moveRoles(client, names, building);
      const after = await readRoles(client, names);
      if (modelsOf(read.rebuild).every((model) => after[model].live === read.rebuild.indices[model])) {
        const swapped = await rebuilds.save(cancelled, { state: "swapped", reason: null });
        return { outcome: "too_late", rebuild: swapped.rebuild };
      }
      return { outcome: "cancelled", rebuild: cancelled.rebuild };
    } catch (error) {
      if (!(error instanceof RebuildMoved)) throw error;
    }
  }
}
