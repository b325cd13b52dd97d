import { planRebuild } from "@tranche/operations/rebuild/by-operators";
import { moveRoles, readRoles } from "@tranche/shared/rebuild/roles";
import { isRunning, type Rebuild } from "@tranche/shared/rebuild/state";
import { READ_MODELS } from "@tranche/shared/search/index-names";
import type { Ops } from "../ops.ts";
import { auditLogHere } from "../audit/operator.ts";
import type { Engines } from "../engines/connect.ts";
import { followRebuild } from "../rebuild/reindex.ts";

/**
 * Has every document derived again by a rebuild, which reads all restored records. Another rebuild that runs already may have begun
 * before the last record was there, so it is waited for. Without an indexer the rebuild is only planned.
 * The indices from before have nothing to go back to, so they are not kept for a rollback.
 */
export async function deriveEverything(ops: Ops, engines: Engines): Promise<{ rebuild: Rebuild; workers: number }> {
  for (;;) {
    const { planned, rebuild, workers } = await planRebuild(engines, await auditLogHere(ops));
    if (planned && workers === 0) return { rebuild, workers };
    const last = await followRebuild(ops, engines, rebuild.id);
    if (!planned && !isRunning(last)) continue;
    if (last.state === "swapped" || last.state === "retired") await dropPrevious(engines);
    return { rebuild: last, workers };
  }
}

async function dropPrevious({ client, names }: Engines): Promise<void> {
  const roles = await readRoles(client, names);
  const changes = READ_MODELS.flatMap((model) => {
    const from = roles[model].previous;
    return from ? [{ model, role: "previous" as const, from }] : [];
  });
  if (changes.length > 0) await moveRoles(client, names, changes);
}
