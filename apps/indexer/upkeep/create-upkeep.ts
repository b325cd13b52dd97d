import { REBUILD_JOB_OPTIONS, type RederiveJob } from "@tranche/shared/protocol/queue/queues";
import { isRunning, type RebuildStore } from "@tranche/shared/protocol/rebuild/state";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { wakeReaders } from "@tranche/shared/protocol/feed/wake-readers";
import { createIngestLosses } from "@tranche/shared/protocol/runs/ingest-losses";
import { createIngestRuns } from "@tranche/shared/protocol/runs/ingest-runs";
import type { LossReporter } from "@tranche/shared/protocol/runs/redis-loss";
import { publishLost } from "../feed-serving/lost.ts";
import { publishOrphans } from "../feed-serving/orphans.ts";
import type { DueParts } from "../feed-serving/publish-due.ts";
import { reconcileFeed } from "../feed-serving/reconcile.ts";
import { resumeFanout } from "../pipeline/fanout.ts";
import { resumeInvestors } from "../pipeline/pending-investors.ts";
import { purge } from "../purge/purge.ts";
import type { IndexerQueues } from "../pipeline/queues.ts";
import { prune } from "../rebuild/prune.ts";
import { retire } from "../rebuild/retire.ts";
import type { SliceStore } from "../rebuild/slice-store.ts";
import { areEmpty, closeRuns } from "./close-runs.ts";
import { maintain, type Maintenance } from "./maintain.ts";
import { rederiveAll } from "./rederive.ts";
import { schedule } from "./schedule.ts";

/** The work behind each job of the upkeep queue. */
export type Upkeep = {
  maintain: () => Promise<void>;
  purge: () => Promise<unknown>;
  schedule: () => Promise<void>;
  /** After Redis may have lost its newest writes. */
  recover: () => Promise<void>;
  rederive: (options: RederiveJob & { run: string }) => Promise<number>;
};

/**
 * Wires the work of the upkeep queue. `keptHours`: how long a rollback of the last rebuild stays possible. `reportLost` and
 * `markedJobs` say which runs Redis lost jobs of.
 */
export function createUpkeep(
  pipeline: DueParts & { rebuilds: RebuildStore },
  queues: IndexerQueues,
  slices: SliceStore,
  options: {
    keptHours: number;
    reportLost: LossReporter["reportRuns"];
    markedJobs: (runs: readonly string[]) => Promise<number[]>;
    /** Puts dead letters and counts of the month back that Redis has lost. */
    restoreBackups: () => Promise<void>;
    /** The number of derivations that wait. */
    waiting: () => Promise<number>;
    until: AbortSignal;
  },
): Upkeep {
  const { client, names, rebuilds } = pipeline;
  const sharing = { slices, queue: queues.copy, until: options.until };
  const runs = createIngestRuns(client, names);
  const maintenance: Maintenance = {
    publishOrphans: () => publishOrphans(pipeline),
    publishLost: () => publishLost(pipeline),
    isFeedDue: async () => (await reconcileFeed(pipeline)).control.due !== null,
    isRebuilding: async () => {
      const read = await rebuilds.read();
      return read !== undefined && isRunning(read.rebuild);
    },
    resumeRebuild: () => queues.rebuild.add("rebuild", undefined, REBUILD_JOB_OPTIONS),
    // Real time: the clock of the settings may be fixed to a day.
    retire: () => retire(pipeline, { keptHours: options.keptHours, now: Date.now() }),
    prune: () => prune(pipeline),
    resumePending: async () => {
      await resumeFanout(pipeline);
      await resumeInvestors(pipeline);
    },
    closeRuns: () =>
      closeRuns({
        runs,
        areQueuesEmpty: () => areEmpty([queues.ingest, queues.derive, queues.fanout, queues.investors]),
        haveJobsFailed: async () => (await queues.ingest.getFailedCount()) > 0,
        losses: createIngestLosses(client, names),
        markedJobs: options.markedJobs,
        reportLost: options.reportLost,
        // Taking a ticket examines a Redis that was replaced.
        examine: () => pipeline.tickets.take(),
      }),
  };
  return {
    maintain: () => maintain(maintenance),
    purge: () => purge(pipeline),
    schedule: () => schedule(queues),
    recover: async () => {
      await schedule(queues);
      // Readers may have cached what was there before a change whose announcement is lost.
      await pipeline.announcer.announceEverything(READ_MODELS);
      await publishLost(pipeline);
      await wakeReaders(pipeline);
      // Last: readers do not wait for it, and it may fail.
      await options.restoreBackups();
    },
    rederive: async (asked) => {
      await options.restoreBackups();
      return rederiveAll({ ...pipeline, ...sharing, waiting: options.waiting }, asked);
    },
  };
}
