import { restoreBackups } from "@tranche/operations/dead-letters/restore-backups";
import { createFailedIngestBackup } from "@tranche/shared/protocol/queue/failed-ingest-backup";
import { markedJobs } from "@tranche/shared/protocol/queue/job-ledger";
import { createRebuildStore, type RebuildStore } from "@tranche/shared/protocol/rebuild/state";
import { lossReporter } from "@tranche/shared/protocol/runs/redis-loss";
import type { Worker } from "bullmq";
import type { Base } from "./base.ts";
import { createPipeline } from "./create-pipeline.ts";
import { createTrackJob } from "./health/track-jobs.ts";
import type { PipelineParts } from "./pipeline/parts.ts";
import { waitingDerivations } from "./pipeline/queues.ts";
import { createSliceStore } from "./rebuild/slice-store.ts";
import type { Supervision } from "./supervise.ts";
import { createDayStore, type DayStore } from "./upkeep/clock-day.ts";
import { createUpkeep } from "./upkeep/create-upkeep.ts";
import { createWebhookParts } from "./webhooks/create.ts";
import { createWorkers } from "./workers/create-workers.ts";

/** The workers of a process, which take jobs at once, and what its other work needs. */
export type Work = {
  workers: Worker[];
  /** The pipeline, with the state of rebuilds. */
  feed: PipelineParts & Pick<Base, "redis" | "namespace"> & { rebuilds: RebuildStore };
  days: DayStore;
  /** Undefined without the key of webhooks. */
  webhooks: ReturnType<typeof createWebhookParts>;
};

/** `until` ends what runs for long. */
export function createWork(base: Base, { versions, gate, metrics }: Supervision, until: AbortSignal): Work {
  const { settings, log, client, redis, names, namespace, layout, queues, activity, access } = base;
  const { TRANCHE_INDEXER_CONCURRENCY: concurrency } = settings;
  const losses = lossReporter({
    client,
    names,
    redis,
    namespace,
    upkeep: queues.upkeep,
    tell: (line) => log.error(line),
    note: (line) => log.info(line),
  });
  const pipeline = createPipeline(base, { versions, losses, onFailedTry: () => metrics.retry(), until });

  const days = createDayStore(client, names);
  const rebuilds = createRebuildStore(client, names);
  const feed = { ...pipeline, redis, namespace, rebuilds };
  const slices = createSliceStore(client, names);
  const waiting = waitingDerivations(queues, () => activity.heartbeat());
  const upkeep = createUpkeep(feed, queues, slices, {
    keptHours: settings.TRANCHE_ROLLBACK_HOURS,
    reportLost: losses.reportRuns,
    markedJobs: (runs) => markedJobs(redis, namespace, runs),
    restoreBackups: () =>
      restoreBackups({ client, names, redis, namespace }, queues, (err) => log.error({ err }, err.message)),
    waiting,
    until,
  });
  const webhooks = createWebhookParts(settings, { ...pipeline, redis, observe: metrics.delivery });
  const workers = createWorkers(
    {
      pipeline,
      track: createTrackJob(activity, metrics),
      onSearchable: (seconds) => metrics.searchable(seconds),
      gate,
      failedIngests: createFailedIngestBackup(client, names),
      queues,
      waiting,
      days,
      rebuild: { rebuilds, layout, redis, namespace },
      slices,
      upkeep,
      webhooks,
    },
    { access, concurrency, until },
  );
  return { workers, feed, days, webhooks };
}
