import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { NODE_FLAGS } from "@tranche/shared/process/v8-flags";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { createEnqueuer, type RecordEnqueuer } from "@tranche/shared/protocol/queue/enqueue";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { cancelRebuild } from "@tranche/operations/rebuild/cancel";
import { createRebuildStore } from "@tranche/shared/protocol/rebuild/state";
import { Queue } from "bullmq";
import { type Process, startProcess } from "./processes.ts";
import type { Environment } from "./environment.ts";

/** A running indexer and its queues. */
export type Indexer = {
  process: Process;
  /** Packs writes into jobs, as `ops ingest` does. */
  enqueuer(): RecordEnqueuer;
  queue(name: string): Queue;
  /** Waits until no more jobs of records than this wait. */
  waitingAtMost(jobs: number): Promise<void>;
  /** Waits until all jobs are done: their records are searchable then. Throws when one of them failed or was refused. */
  drained(): Promise<void>;
  stop(): Promise<void>;
};

const STARTS_WITHIN_MS = 60_000;
/** Until an indexer that has started notices that Redis restarted: it takes a ticket every second. */
const NOTICES_WITHIN_MS = 3000;

/** Starts the indexer as `npm run indexer` does. `profile`: a folder that its CPU profile is written to when it is stopped. */
export async function startIndexer(
  environment: Environment,
  options: { profile?: string | undefined } = {},
): Promise<Indexer> {
  const { project, home, reaper, engines, namespace, client, names } = environment;
  const connection = createQueueConnection(engines.redisUrl, "tranche-bench");
  const queues = new Map<string, Queue>();
  const queue = (name: string): Queue => {
    const opened = queues.get(name) ?? new Queue(name, { connection, prefix: queuePrefix(namespace) });
    queues.set(name, opened);
    return opened;
  };
  const worked = [queue(QUEUES.ingest), queue(QUEUES.derive), queue(QUEUES.fanout)];
  // Remains of an earlier run do not belong to this one.
  for (const each of [...worked, queue(QUEUES.rebuild), queue(QUEUES.deadLetters)])
    await each.obliterate({ force: true });
  await cancelRebuild(client, names, createRebuildStore(client, names), "by a benchmark that came after it");

  const started = await startProcess(reaper, {
    command: process.execPath,
    args: [
      ...NODE_FLAGS,
      ...(options.profile ? ["--cpu-prof", "--cpu-prof-dir", options.profile] : []),
      join(project, "apps/indexer/main.ts"),
    ],
    env: environment.env,
    cwd: project,
    output: join(home, "logs/indexer.log"),
    channel: true,
  });
  const ready = async () => (await queue(QUEUES.ingest).getWorkersCount()) > 0;
  const late = performance.now() + STARTS_WITHIN_MS;
  while (!(await ready())) {
    if (performance.now() > late) throw new Error("The indexer did not start; see logs/indexer.log");
    await pause(100);
  }
  const waitingIn = async (some: readonly Queue[], ...states: ("waiting" | "active" | "delayed")[]) => {
    const counts = await Promise.all(some.map((each) => each.getJobCountByTypes(...states)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  // If Redis restarted since an earlier benchmark of this folder, the indexer derives every document afresh.
  await pause(NOTICES_WITHIN_MS);
  const ownWork = [...worked, ...[QUEUES.upkeep, QUEUES.copy, QUEUES.investors].map((name) => queue(name))];
  const hasOwnWork = async () => (await waitingIn(ownWork, "waiting", "active")) > 0;
  if (await hasOwnWork()) environment.log("waiting until the indexer has done what earlier benchmarks left");
  while (await hasOwnWork()) await pause(500);

  return {
    process: started,
    queue,
    enqueuer: () => createEnqueuer(queue(QUEUES.ingest)),
    async waitingAtMost(jobs) {
      while ((await queue(QUEUES.ingest).getWaitingCount()) > jobs) await pause(20);
    },
    async drained() {
      while ((await waitingIn(worked, "waiting", "active", "delayed")) > 0) await pause(50);
      const failed = await Promise.all(worked.map((each) => each.getFailedCount()));
      const refused = await queue(QUEUES.deadLetters).getWaitingCount();
      if (refused + failed[0]! + failed[1]! > 0)
        throw new Error(`${failed[0]! + failed[1]!} jobs failed, ${refused} writes were refused; see logs/indexer.log`);
    },
    async stop() {
      await Promise.all([...queues.values()].map((each) => each.close()));
      connection.disconnect();
      await started.stop();
    },
  };
}
