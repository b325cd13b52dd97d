import { setTimeout as pause } from "node:timers/promises";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { cancelRunningRebuild, planRebuild } from "@tranche/operations/rebuild/by-operators";
import { isRolledBack } from "@tranche/operations/rebuild/rolled-back";
import { readLostRollback } from "@tranche/shared/protocol/rebuild/give-up";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { createRebuildStore, isRunning, type Rebuild } from "@tranche/shared/protocol/rebuild/state";
import type { Engines } from "../context/connect.ts";
import type { Ops } from "../context/ops.ts";
import { auditLogHere } from "../context/operator.ts";
import { Failure } from "../terminal/failure.ts";
import { createProgress } from "../terminal/progress.ts";
import { watchForStall } from "@tranche/operations/queues/stall";
import { lostRollbackText, rebuildText, ROLLED_BACK, stageText } from "../texts/rebuild.ts";

const INTERRUPTED = 130;

/** Starts a rebuild, and follows it to its end with `wait`. */
export async function startRebuild(ops: Ops, wait: boolean): Promise<void> {
  const engines = await ops.engines();
  const { planned, rebuild, workers } = await planRebuild(engines, await auditLogHere(ops));
  if (!planned) {
    const message = `Rebuild ${rebuild.id} is already running. ${rebuildText(rebuild)}`;
    if (!ops.terminal.json) throw new Failure(message);
    ops.terminal.show({ error: { message }, running: rebuild }, "");
    ops.terminal.exitCode = 1;
    return;
  }
  if (workers === 0) {
    ops.terminal.warn("No indexer is connected. The rebuild begins when one starts: `npm run indexer`.");
  }
  const last = wait ? await followRebuild(ops, engines, rebuild.id) : rebuild;
  ops.terminal.show(last, rebuildText(last));
  const failed = last.state === "cancelled" || last.state === "failed";
  ops.terminal.exitCode = failed ? 1 : wait && isRunning(last) ? INTERRUPTED : 0;
}

/** Shows the last rebuild. */
export async function showRebuild(ops: Ops): Promise<void> {
  const { client, names } = await ops.engines();
  const [read, roles] = await Promise.all([createRebuildStore(client, names).read(), readIndexRoles(client, names)]);
  if (!read) return ops.terminal.show(null, "There has been no rebuild yet. Start one with `ops reindex`.");
  const lost = await readLostRollback(client, names, roles);
  const more = [...(isRolledBack(read.rebuild, roles) ? [ROLLED_BACK] : []), ...(lost ? [lostRollbackText(lost)] : [])];
  ops.terminal.show({ ...read.rebuild, lost_rollback: lost ?? null }, [rebuildText(read.rebuild), ...more].join(" "));
}

/** Cancels the running rebuild. */
export async function cancelRunning(ops: Ops): Promise<void> {
  const { outcome, rebuild } = await cancelRunningRebuild(await ops.engines(), await auditLogHere(ops));
  if (outcome === "none_running") throw new Failure("No rebuild is running.");
  if (outcome === "too_late") {
    throw new Failure(`Rebuild ${rebuild!.id} has already finished. To undo it, run \`ops rollback\`.`);
  }
  ops.terminal.show(rebuild, rebuildText(rebuild!));
}

/** Follows a rebuild to its end. Ctrl-C ends only that: the rebuild continues. */
export async function followRebuild(ops: Ops, engines: Engines, id: string): Promise<Rebuild> {
  const store = createRebuildStore(engines.client, engines.names);
  const progress = createProgress(ops.terminal);
  const checkStall = watchForStall(engines.queue(QUEUES.rebuild), progress.warn);
  const interrupted = ops.onInterrupt();
  let expected = 0;
  progress.begin("rebuilding", undefined);
  try {
    for (;;) {
      const rebuild = (await store.read())?.rebuild;
      if (!rebuild || rebuild.id !== id) throw new Failure(`Rebuild ${id} was followed by another one.`);
      if (!isRunning(rebuild)) return rebuild;
      if (interrupted.aborted) {
        progress.tell("The rebuild continues: `ops reindex status` shows it, `ops reindex cancel` cancels it.");
        return rebuild;
      }
      if (rebuild.expected !== expected) progress.begin("rebuilding", (expected = rebuild.expected), "documents");
      progress.at(rebuild.written, stageText(rebuild));
      await checkStall(rebuild.updated_at);
      await pause(engines.timing.commandLook);
    }
  } finally {
    progress.stop();
  }
}
