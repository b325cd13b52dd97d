import { planRebuild } from "@tranche/operations/rebuild/by-operators";
import { isRunning, type Rebuild } from "@tranche/shared/protocol/rebuild/state";
import type { Ops } from "../context/ops.ts";
import { auditLogHere } from "../context/operator.ts";
import type { Engines } from "../context/connect.ts";
import { followRebuild } from "../jobs/rebuild.ts";

/**
 * Has every document derived again by a rebuild, which reads all restored records. Another rebuild that runs already may have begun
 * before the last record was there, so it is waited for. Without an indexer the rebuild is only planned.
 * The indices from before have nothing to go back to, so they are not kept for a rollback.
 */
export async function deriveEverything(ops: Ops, engines: Engines): Promise<{ rebuild: Rebuild; workers: number }> {
  for (;;) {
    const { planned, rebuild, workers } = await planRebuild(engines, await auditLogHere(ops), { keepsNothing: true });
    if (planned && workers === 0) return { rebuild, workers };
    const last = await followRebuild(ops, engines, rebuild.id);
    if (!planned && !isRunning(last)) continue;
    return { rebuild: last, workers };
  }
}
