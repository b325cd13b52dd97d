import type { Client } from "@elastic/elasticsearch";
import { type IndexNames, READ_MODELS } from "../../engines/search/index-names.ts";
import { moveRoles, readIndexRoles } from "./roles.ts";
import { isRunning, modelsOf, type Rebuild, RebuildMoved, type RebuildStore } from "./state.ts";

export type Ending = { outcome: "ended" | "too_late" | "none_running"; rebuild: Rebuild | undefined };

/**
 * Ends the running rebuild before its swap: the live index stays as it is, and the new indices get no role again. `too_late` when they
 * are live already. The indexer deletes the new indices. `only`: if this index is one of them.
 */
export async function endRebuild(
  client: Client,
  names: IndexNames,
  rebuilds: RebuildStore,
  { state, reason, only }: { state: "cancelled" | "failed"; reason: string; only?: string },
): Promise<Ending> {
  for (;;) {
    const read = await rebuilds.read();
    if (!read || !isRunning(read.rebuild)) return { outcome: "none_running", rebuild: read?.rebuild };
    const { indices } = read.rebuild;
    if (only !== undefined && !Object.values(indices).includes(only)) {
      return { outcome: "none_running", rebuild: undefined };
    }
    try {
      const ended = await rebuilds.save(read, { state, reason });
      // A worker may be about to swap. It needs the building role for that, so the first one to remove the role wins.
      const roles = await readIndexRoles(client, names);
      const building = READ_MODELS.flatMap((model) => {
        const from = roles[model].building;
        return from === indices[model] ? [{ model, role: "building" as const, from, forGood: true }] : [];
      });
      if (building.length > 0) await moveRoles(client, names, building);
      const after = await readIndexRoles(client, names);
      if (modelsOf(read.rebuild).every((model) => after[model].live === indices[model])) {
        const swapped = await rebuilds.save(ended, { state: "swapped", reason: null });
        return { outcome: "too_late", rebuild: swapped.rebuild };
      }
      return { outcome: "ended", rebuild: ended.rebuild };
    } catch (error) {
      if (!(error instanceof RebuildMoved)) throw error;
    }
  }
}
