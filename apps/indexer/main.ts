import { askEngines } from "@tranche/operations/metrics/engine-answers";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { createAnnouncer } from "@tranche/shared/generations/announcer";
import { createLogger } from "@tranche/shared/log/logger";
import { onShutdown } from "@tranche/shared/process/shutdown";
import { keepHeapSmall } from "@tranche/shared/process/v8-flags";
import { MAX_WAITING_JOBS } from "@tranche/shared/queue/enqueue";
import { markedJobs } from "@tranche/shared/queue/job-ledger";
import { createKeptLetters } from "@tranche/shared/queue/kept-letters";
import { restoreKept } from "@tranche/operations/losses/restore-kept";
import { createNotedFanout, createNotedInvestors } from "@tranche/shared/queue/noted-investors";
import { JOB_OPTIONS, queuePrefix, QUEUES, UPKEEP_JOBS } from "@tranche/shared/queue/queues";
import { readRoles } from "@tranche/shared/rebuild/roles";
import { createRebuildStore } from "@tranche/shared/rebuild/state";
import { lossReporter } from "@tranche/shared/runs/redis-loss";
import { indexNames } from "@tranche/shared/search/index-names";
import { forbidImplicitIndices } from "@tranche/shared/search/no-implicit-indices";
import type { OnRetry } from "@tranche/shared/search/retry-forever";
import { assertOperatorPortIsClosed } from "@tranche/shared/settings/operator-port";
import { readOrExit } from "@tranche/shared/settings/read-or-exit";
import { clockOf, readSettings } from "@tranche/shared/settings/settings";
import { readDealTypes } from "@tranche/shared/settings/vocabulary-file";
import { createChangeNotes } from "@tranche/shared/feed/notes";
import { createTicketClock, ticketKey } from "@tranche/shared/ticket/ticket-clock";
import { dayOfTime, isoDay } from "@tranche/shared/time/day";
import { connect } from "./clients.ts";
import { reconcileFeed } from "./feed-serving/reconcile.ts";
import { checkForEarlierDay, createDayStore } from "./upkeep/clock-day.ts";
import { fillInvestors } from "./upkeep/fill-investors.ts";
import { schedule } from "./upkeep/schedule.ts";
import { watchTickets } from "./upkeep/watch-tickets.ts";
import type { PipelineParts } from "./pipeline/parts.ts";
import { createActivity } from "./health/activity.ts";
import { createIndexerMetrics } from "./health/metrics.ts";
import { serveHealth } from "./health/port.ts";
import { createTrackJob } from "./health/track-jobs.ts";
import { createWatchdog } from "./health/watchdog.ts";
import { untilJobsEnd } from "./jobs/under-way.ts";
import { createVersionGate } from "./jobs/version-gate.ts";
import { createQueueOf, createQueues, pipelineQueues, waitingDerivations } from "./queues/queues.ts";
import { shutDown } from "./shutdown.ts";
import { createSliceStore } from "./slices/store.ts";
import { createUpkeep } from "./upkeep/create-upkeep.ts";
import { createTargetVersions } from "./write/target-versions.ts";
import { createWebhookParts } from "./webhooks/create.ts";
import { followChanges } from "./webhooks/follow.ts";
import { createWorkers } from "./workers/create-workers.ts";
import { createLeader, type Leader } from "./workers/leader.ts";

keepHeapSmall("indexer");
const settings = readOrExit(() => {
  const read = readSettings(process.env);
  if (read.TRANCHE_INDEXER_PORT !== undefined) assertOperatorPortIsClosed(read);
  return read;
});
const { TRANCHE_NAMESPACE: namespace, TRANCHE_INDEXER_CONCURRENCY: concurrency } = settings;
const log = createLogger("indexer", settings.TRANCHE_LOG_LEVEL);
/** Until workers take jobs, nothing has to end in order: while the engines are waited for, for one. */
let close: (reason: string) => Promise<void> = async (reason) =>
  log.info({ reason }, "closing before any job was taken");
onShutdown((reason) => close(reason));
const names = indexNames(namespace);
const { client, redis } = await connect(settings, log).catch((error: Error) => {
  log.fatal(error.message);
  process.exit(1);
});
const layout = { shards: settings.TRANCHE_SHARDS, replicas: settings.TRANCHE_REPLICAS };
if (!(await forbidImplicitIndices(client, names))) {
  log.warn(
    "the credentials may not manage index templates: if an index is missing, such as during a restore, a write creates one without mappings",
  );
}
await ensureIndices(client, names, layout);

const prefix = queuePrefix(namespace);
const queues = createQueues({ connection: redis, prefix });
const queueOf = createQueueOf({ connection: redis, prefix });
const activity = createActivity();
const isHeld = (): boolean => gate.closed() !== undefined;
/** Undefined until the workers are created, and without a leader. */
let leader: Leader | undefined;
const metrics = createIndexerMetrics({ isHeld, leads: () => leader?.leads() ?? false });
client.diagnostic.on("response", () => activity.heartbeat());
const onRetry: OnRetry = (error, attempt) => {
  metrics.retry();
  log.warn({ reason: error.message, attempt }, "Elasticsearch refused or failed a request; waiting");
};
const keptLetters = createKeptLetters(client, names);
const redisKey = ticketKey(namespace);
const tell = (line: string) => log.error(line);
const losses = lossReporter({ client, names, redis, namespace, upkeep: queues.upkeep, tell });
const tickets = createTicketClock({ redis, client, controlIndex: names.control, redisKey, ...losses, onRetry });
const versions = createTargetVersions({ client, names, log });
const gate = createVersionGate(async () => versions.admit(await readRoles(client, names)), log);
const rebuilds = createRebuildStore(client, names);
const stuckAfterMs = settings.TRANCHE_STUCK_AFTER_SECONDS * 1000;
const watchdog = createWatchdog({
  activity,
  // Upkeep may wait for the other queues.
  queues: Object.values(QUEUES).filter((queue) => queue !== QUEUES.upkeep),
  waiting: async () =>
    new Map(
      await Promise.all(
        // While this indexer stands by, ingest jobs wait for the leader.
        [...(leader?.standsBy() ? [] : [queues.ingest]), queues.derive].map(
          async (of) => [of.name, await of.getWaitingCount()] as const,
        ),
      ),
    ),
  enginesAnswer: async () =>
    Object.values(await askEngines({ client, redis, namespace })).every((took) => took !== undefined),
  isHeld,
  stuckAfterMs,
  exitAfterMs: stuckAfterMs / 5,
  exit: () => process.exit(1),
  log,
});
const health =
  settings.TRANCHE_INDEXER_PORT === undefined
    ? undefined
    : await serveHealth(settings, { client, redis, names, namespace, queue: queueOf, watchdog, metrics, gate });
// Before anything is written: the indices may be of a later version, and those of an earlier one get the fields of this one.
await gate.untilOpen();
const ending = new AbortController();
const pipeline: PipelineParts = {
  client,
  names,
  versions,
  tickets,
  notes: createChangeNotes({ redis, namespace, tickets }),
  dealTypes: readOrExit(() => readDealTypes(settings.TRANCHE_VOCABULARY_FILE)),
  now: clockOf(settings),
  log,
  onRetry,
  announcer: createAnnouncer({ redis, namespace, tickets }),
  untilJobsEnd: (withinMs) =>
    untilJobsEnd(
      [
        { queue: queues.ingest, onlyStarted: true },
        { queue: queues.derive, onlyStarted: false },
      ],
      { withinMs, until: ending.signal },
      () => activity.heartbeat(),
    ),
  ...pipelineQueues(queues, createNotedInvestors(redis, namespace), createNotedFanout(redis, namespace), keptLetters),
};

const filling = await fillInvestors(pipeline);
if (filling > 0) log.info({ investors: filling }, "the investors read model is new: its documents are derived");

const days = createDayStore(client, names);
const feed = { ...pipeline, redis, namespace, rebuilds };
const slices = createSliceStore(client, names);
const waiting = waitingDerivations(queues, () => activity.heartbeat());
const upkeep = createUpkeep(feed, queues, slices, {
  keptHours: settings.TRANCHE_ROLLBACK_HOURS,
  reportLost: losses.reportRuns,
  markedJobs: (runs) => markedJobs(redis, namespace, runs),
  restoreKept: () => restoreKept({ client, names, redis, namespace }, queues.deadLetters),
  waiting,
  until: ending.signal,
});
const webhooks = createWebhookParts(settings, { ...pipeline, redis });
const workers = createWorkers(
  {
    pipeline,
    track: createTrackJob(activity, metrics),
    onSearchable: (seconds) => metrics.searchable(seconds),
    gate,
    queues,
    waiting,
    days,
    rebuild: { rebuilds, layout, redis, namespace },
    slices,
    upkeep,
    webhooks,
  },
  { connection: redis, prefix, concurrency, until: ending.signal },
);
if (settings.TRANCHE_INGEST_LEADER === "on") {
  leader = createLeader({
    redis,
    namespace,
    worker: workers.find(({ name }) => name === QUEUES.ingest)!,
    waiting: () => queues.ingest.getWaitingCount(),
    jobs: () => activity.of(QUEUES.ingest),
    gate,
    // An ingest never has more waiting jobs than twice this.
    helpFrom: Math.min(concurrency, MAX_WAITING_JOBS / 2),
    log,
  });
}
close = async (reason) => {
  await shutDown(reason, { ending, workers, log });
  await health?.close();
};

await schedule(queues);
// The first ticket shows whether Redis lost its data while no indexer ran.
await tickets.take();
void watchTickets(tickets, log);
await reconcileFeed(feed);
await checkForEarlierDay(days, isoDay(dayOfTime(pipeline.now())), async (noted) => {
  log.warn({ noted }, "the clock is on an earlier day than before: every document is derived afresh");
  await queues.upkeep.add(UPKEEP_JOBS.rederive, undefined, {
    ...JOB_OPTIONS,
    deduplication: { id: "rederive", keepLastIfActive: true },
  });
});
// If the clock was set to a later day while no indexer ran, the due documents change now and not in 30 s.
await queues.due.add("due", undefined, JOB_OPTIONS);
void leader?.follow(ending.signal);
void watchdog.watch(ending.signal);
if (webhooks) void followChanges({ ...webhooks, queue: queues.webhooks }, ending.signal);
log.info({ namespace, concurrency, ...(health && { operatorAddress: health.address }) }, "the indexer takes jobs");
