import { setTimeout as pause } from "node:timers/promises";
import { JOB_OPTIONS, QUEUES, REBUILD_JOB_OPTIONS, type UpkeepJob } from "@tranche/shared/queue/queues";
import { cancelRebuild } from "@tranche/shared/rebuild/cancel";
import { createRebuildStore, isRunning, type Rebuild } from "@tranche/shared/rebuild/state";
import type { Engines } from "../engines/connect.ts";
import type { Ops } from "../ops.ts";
import { auditedHere } from "../state/operator.ts";
import { Failure } from "../terminal/failure.ts";
import { createProgress } from "../terminal/progress.ts";
import { progressText, rebuildText } from "./text.ts";

const LOOK_EVERY_MS = 300;
const STANDSTILL_MS = 15_000;

/** Starts a rebuild, and follows it to its end with `wait`. */
export async function startRebuild(ops: Ops, wait: boolean): Promise<void> {
  const engines = await ops.engines();
  const { planned, rebuild } = await auditedHere(
    ops,
    "reindex",
    {},
    () => createRebuildStore(engines.client, engines.names).plan(),
    (plan) => ({ rebuild: plan.rebuild.id, ...(plan.planned ? {} : { outcome: "refused: one is running" }) }),
  );
  if (!planned) {
    const message = `Rebuild ${rebuild.id} is running already: ${rebuildText(rebuild)}`;
    if (!ops.terminal.json) throw new Failure(message);
    ops.terminal.show({ error: { message }, running: rebuild }, "");
    ops.terminal.exitCode = 1;
    return;
  }
  const queue = engines.queue(QUEUES.rebuild);
  await queue.add("rebuild", undefined, REBUILD_JOB_OPTIONS);
  if ((await queue.getWorkersCount()) === 0) {
    ops.terminal.tell("No indexer is running; the first one that starts does it.");
  }
  const ended = wait ? await waitForRebuild(ops, engines, rebuild.id) : rebuild;
  ops.terminal.show(ended, rebuildText(ended));
  ops.terminal.exitCode = ended.state === "cancelled" || ended.state === "failed" ? 1 : 0;
}

/** Shows the last rebuild. */
export async function showRebuild(ops: Ops): Promise<void> {
  const { client, names } = await ops.engines();
  const read = await createRebuildStore(client, names).read();
  ops.terminal.show(
    read?.rebuild ?? null,
    read ? rebuildText(read.rebuild) : "There was no rebuild yet: `ops reindex` starts one.",
  );
}

/** Cancels the running rebuild. */
export async function cancelRunning(ops: Ops): Promise<void> {
  const engines = await ops.engines();
  const { client, names } = engines;
  const { outcome, rebuild } = await auditedHere(
    ops,
    "reindex.cancel",
    {},
    () => cancelRebuild(client, names, createRebuildStore(client, names), "by an operator"),
    (ended) => ({ rebuild: ended.rebuild?.id ?? "none", outcome: ended.outcome.replaceAll("_", " ") }),
  );
  if (outcome === "none_running") throw new Failure("No rebuild is running.");
  if (outcome === "too_late") {
    throw new Failure(`Rebuild ${rebuild!.id} was through already; \`ops rollback\` takes it back.`);
  }
  await engines.queue(QUEUES.upkeep).add("tend" satisfies UpkeepJob, undefined, JOB_OPTIONS);
  ops.terminal.show(rebuild, rebuildText(rebuild!));
}

/** Follows a rebuild to its end; Ctrl-C ends only the following. */
async function waitForRebuild(ops: Ops, engines: Engines, id: string): Promise<Rebuild> {
  const store = createRebuildStore(engines.client, engines.names);
  const progress = createProgress(ops.terminal);
  progress.begin("rebuilding", 100);
  let [last, since, told] = ["", Date.now(), false];
  try {
    for (;;) {
      const rebuild = (await store.read())?.rebuild;
      if (!rebuild || rebuild.id !== id) throw new Failure(`Rebuild ${id} was followed by another one.`);
      if (!isRunning(rebuild)) return rebuild;
      progress.at(percentDone(rebuild), progressText(rebuild));
      if (rebuild.updated_at !== last) [last, since, told] = [rebuild.updated_at, Date.now(), false];
      if (!told && Date.now() - since > STANDSTILL_MS) {
        told = true;
        progress.tell("Nothing has moved for a while: is `npm run indexer` running? Its log says why. Waiting …");
      }
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    progress.stop();
  }
}

function percentDone({ written, expected }: Rebuild): number {
  return expected === 0 ? 0 : Math.min(100, (100 * written) / expected);
}
