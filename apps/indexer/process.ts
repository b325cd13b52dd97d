import type { Client } from "@elastic/elasticsearch";
import { restoreBackups } from "@tranche/operations/losses/restore-backups";
import { addMissingReplicas, ensureIndices } from "@tranche/read-models/indices/creation";
import type { Logger } from "@tranche/shared/process/logger";
import { queueAccess } from "@tranche/shared/protocol/queue/access";
import { MAX_WAITING_JOBS } from "@tranche/shared/protocol/queue/enqueue";
import { markedJobs } from "@tranche/shared/protocol/queue/job-ledger";
import { createFailedIngestBackup } from "@tranche/shared/protocol/queue/failed-ingest-backup";
import { JOB_OPTIONS, QUEUES, UPKEEP_JOBS } from "@tranche/shared/protocol/queue/queues";
import { createTiming } from "@tranche/shared/process/timing";
import { readRoles } from "@tranche/shared/protocol/rebuild/roles";
import { createRebuildStore } from "@tranche/shared/protocol/rebuild/state";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { lossReporter } from "@tranche/shared/protocol/runs/redis-loss";
import { type IndexNames, indexNames } from "@tranche/shared/engines/search/index-names";
import { forbidImplicitIndices } from "./upkeep/no-implicit-indices.ts";
import type { Layout } from "@tranche/shared/engines/search/store-indices";
import type { Settings } from "@tranche/shared/process/settings";
import type { Tracing } from "@tranche/shared/process/tracing";
import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import type { Worker } from "bullmq";
import type { Base } from "./base.ts";
import { createPipeline } from "./create-pipeline.ts";
import { storeHorizons } from "./feed-serving/store-horizons.ts";
import { reconcileFeed } from "./feed-serving/reconcile.ts";
import { createActivity } from "./health/activity.ts";
import { createIndexerMetrics } from "./health/metrics.ts";
import { serveHealth } from "./health/port.ts";
import { createTrackJob } from "./health/track-jobs.ts";
import { createVersionGate, type VersionGate } from "./jobs/version-gate.ts";
import { createQueueOf, createQueues, waitingDerivations } from "./pipeline/queues.ts";
import { shutDown } from "./shutdown.ts";
import { createSliceStore } from "./rebuild/slice-store.ts";
import { checkForEarlierDay, createDayStore, type DayStore } from "./upkeep/clock-day.ts";
import { createUpkeep } from "./upkeep/create-upkeep.ts";
import { schedule } from "./upkeep/schedule.ts";
import { watchOpenWrites } from "./upkeep/watch-open-writes.ts";
import { watchTickets } from "./upkeep/watch-tickets.ts";
import { createDigestParts } from "./follows/create.ts";
import { makeDigests } from "./follows/make-digests.ts";
import { createWebhookParts } from "./webhooks/create.ts";
import { followChanges } from "./webhooks/follow.ts";
import { createWorkers } from "./workers/create-workers.ts";
import { createLeader, type Leader } from "./workers/leader.ts";
import { watchProgress } from "./watch-progress.ts";
import { createTargetVersions } from "./write/target-versions.ts";

/**
 * Wires one indexer process. Resolves when it takes jobs and its start is over. Calls `closeBy` when it begins to take jobs: from then
 * on the process has to end in that order.
 */
export async function serve(
  settings: Settings,
  log: Logger,
  { client, redis, tracing }: { client: Client; redis: RedisClient; tracing?: Tracing | undefined },
  closeBy: (close: (reason: string) => Promise<void>) => void,
): Promise<void> {
  const { TRANCHE_NAMESPACE: namespace, TRANCHE_INDEXER_CONCURRENCY: concurrency } = settings;
  const names = indexNames(namespace);
  const layout = { shards: settings.TRANCHE_SHARDS, replicas: settings.TRANCHE_REPLICAS };
  await prepareIndices(client, names, layout, log);

  const access = queueAccess(redis, namespace, tracing?.telemetry);
  let leader: Leader | undefined;
  const base: Base = {
    settings,
    log,
    client,
    redis,
    names,
    namespace,
    layout,
    queues: createQueues(access),
    activity: createActivity(),
    timing: createTiming(settings.TRANCHE_PAUSES),
    leader: () => leader,
  };
  const { queues, activity } = base;
  client.diagnostic.on("response", () => activity.heartbeat());

  const versions = createTargetVersions({ client, names, log });
  const gate = createVersionGate(async () => versions.admit(await readRoles(client, names)), log, {
    lookEveryMs: base.timing.versionLook,
  });
  const isHeld = (): boolean => gate.closed() !== undefined;
  const metrics = createIndexerMetrics({ namespace, isHeld, leads: () => leader?.leads() ?? false });
  const watchdog = watchProgress(base, isHeld);
  const health =
    settings.TRANCHE_INDEXER_PORT === undefined
      ? undefined
      : await serveHealth(settings.TRANCHE_INDEXER_PORT, settings, {
          client,
          redis,
          names,
          namespace,
          queue: createQueueOf(access),
          watchdog,
          metrics,
          gate,
          log,
        });
  // Before anything is written: the indices may be of a later version, and those of an earlier one get the fields of this one.
  await gate.untilOpen();

  const ending = new AbortController();
  const losses = lossReporter({
    client,
    names,
    redis,
    namespace,
    upkeep: queues.upkeep,
    tell: (line) => log.error(line),
    note: (line) => log.info(line),
  });
  const pipeline = createPipeline(base, { versions, losses, onFailedTry: () => metrics.retry(), until: ending.signal });

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
    until: ending.signal,
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
    { access, concurrency, until: ending.signal },
  );
  leader = leadIngest(base, gate, workers);
  closeBy(async (reason) => {
    await shutDown(reason, { ending, workers, tickets: pipeline.tickets, log });
    await health?.close();
    await tracing?.close();
  });

  await schedule(queues);
  // The first ticket shows whether Redis lost its data while no indexer ran.
  await pipeline.tickets.take();
  void watchTickets(pipeline.tickets, log);
  void watchOpenWrites({ redis, namespace, log, everyMs: base.timing.openWrites }, ending.signal);
  await reconcileFeed(feed);
  // From the beginning of the epoch on.
  void storeHorizons(feed, ending.signal);
  await catchUpWithClock(base, days, pipeline.now());
  void leader?.follow(ending.signal);
  void watchdog.watch(ending.signal);
  if (webhooks)
    void followChanges({ ...webhooks, queue: queues.webhooks, lookEveryMs: base.timing.webhooksLook }, ending.signal);
  const follows = { ...pipeline, redis, namespace, now: Date.now, lookEveryMs: base.timing.followsLook };
  void makeDigests(createDigestParts(follows), ending.signal);
  log.info({ namespace, concurrency, ...(health && { metricsAddress: health.address }) }, "the indexer takes jobs");
}

async function prepareIndices(client: Client, names: IndexNames, layout: Layout, log: Logger): Promise<void> {
  if (!(await forbidImplicitIndices(client, names))) {
    log.warn(
      "the credentials may not manage index templates: if an index is missing, such as during a restore, a write creates one without mappings",
    );
  }
  await addMissingReplicas(client, await ensureIndices(client, names, layout), layout.replicas);
}

/** Undefined when the settings let every indexer take ingest jobs. */
function leadIngest(
  { settings, redis, namespace, queues, activity, log }: Base,
  gate: VersionGate,
  workers: readonly Worker[],
): Leader | undefined {
  if (settings.TRANCHE_INGEST_LEADER !== "on") return undefined;
  return createLeader({
    redis,
    namespace,
    worker: workers.find(({ name }) => name === QUEUES.ingest)!,
    waiting: () => queues.ingest.getWaitingCount(),
    jobs: () => activity.of(QUEUES.ingest),
    gate,
    // An ingest never has more waiting jobs than twice this.
    helpFrom: Math.min(settings.TRANCHE_INDEXER_CONCURRENCY, MAX_WAITING_JOBS / 2),
    log,
  });
}

/** Asks for the derivations that the clock has made necessary while no indexer ran. */
async function catchUpWithClock({ queues, log }: Base, days: DayStore, now: number): Promise<void> {
  await checkForEarlierDay(days, isoDay(dayOfTime(now)), async (noted) => {
    log.warn({ noted }, "the clock is on an earlier day than before: every document is derived afresh");
    await queues.upkeep.add(UPKEEP_JOBS.rederive, undefined, {
      ...JOB_OPTIONS,
      deduplication: { id: "rederive", keepLastIfActive: true },
    });
  });
  // If the clock was set to a later day while no indexer ran, the due documents change now and not in 30 s.
  await queues.due.add("due", undefined, JOB_OPTIONS);
}
