import { audited, type AuditLog } from "@tranche/shared/accounts/audit-log";
import { JOB_OPTIONS, QUEUES, REBUILD_JOB_OPTIONS, UPKEEP_JOBS } from "@tranche/shared/protocol/queue/queues";
import { OWN_VERSIONS } from "@tranche/read-models/indices/versions";
import { createRebuildStore, type Rebuild } from "@tranche/shared/protocol/rebuild/state";
import type { Installation } from "../installation/installation.ts";
import { type Cancellation, cancelRebuild } from "./cancel.ts";
import { rollback } from "./rollback.ts";

/** A planned rebuild, or the one that runs already. */
type RebuildPlan = {
  planned: boolean;
  rebuild: Rebuild;
  /** Connected indexers: without one, the rebuild waits. */
  workers: number;
};

/** Starts a rebuild unless one runs, and records that in the audit log. `keepsNothing`: a rollback of it is not offered. */
export async function planRebuild(
  installation: Installation,
  log: AuditLog,
  options: { keepsNothing?: boolean } = {},
): Promise<RebuildPlan> {
  const { client, names } = installation;
  const { planned, rebuild } = await audited(
    log,
    "reindex",
    {},
    () => createRebuildStore(client, names).plan(OWN_VERSIONS, options),
    (plan) => ({ rebuild: plan.rebuild.id, ...(plan.planned ? {} : { outcome: "refused: one is running" }) }),
  );
  const jobs = installation.queue(QUEUES.rebuild);
  if (planned) await jobs.add("rebuild", undefined, REBUILD_JOB_OPTIONS);
  return { planned, rebuild, workers: await jobs.getWorkersCount() };
}

/** Cancels the running rebuild, and records that in the audit log. */
export async function cancelRunningRebuild(installation: Installation, log: AuditLog): Promise<Cancellation> {
  const { client, names } = installation;
  const cancellation = await audited(
    log,
    "reindex.cancel",
    {},
    () => cancelRebuild(client, names, createRebuildStore(client, names), "by an operator"),
    (ended) => ({ rebuild: ended.rebuild?.id ?? "none", outcome: ended.outcome.replaceAll("_", " ") }),
  );
  if (cancellation.outcome === "cancelled") {
    await installation.queue(QUEUES.upkeep).add(UPKEEP_JOBS.maintain, undefined, JOB_OPTIONS);
  }
  return cancellation;
}

/** Goes back to the indices from before the last rebuild, and records that in the audit log. Throws NothingRolledBack. */
export async function rollBack(installation: Installation, log: AuditLog): Promise<Record<string, string>> {
  const shown = (now: Record<string, string>) => ({ live: Object.values(now).join(", ") });
  const live = await audited(log, "rollback", {}, () => rollback(installation), shown);
  // Readers of the feed search these indices after the next round of maintenance.
  await installation.queue(QUEUES.upkeep).add(UPKEEP_JOBS.maintain, undefined, JOB_OPTIONS);
  return live;
}
