import type { Client } from "@elastic/elasticsearch";
import { endRebuild } from "@tranche/shared/protocol/rebuild/end-rebuild";
import type { Rebuild, RebuildStore } from "@tranche/shared/protocol/rebuild/state";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";

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
  const { outcome, rebuild } = await endRebuild(client, names, rebuilds, { state: "cancelled", reason });
  return { outcome: outcome === "ended" ? "cancelled" : outcome, rebuild };
}
