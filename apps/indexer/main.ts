import { setTimeout as pause } from "node:timers/promises";
import { createLogger } from "@tranche/shared/log/logger";
import { onShutdown } from "@tranche/shared/process/shutdown";
import { keepHeapSmall } from "@tranche/shared/process/v8-flags";
import { createQueueConnection } from "@tranche/shared/queue/connection";
import { createAnnouncer } from "@tranche/shared/generations/announcer";
import {
  type DeadLetter,
  type DeriveJob,
  type IngestJob,
  JOB_OPTIONS,
  queuePrefix,
  QUEUES,
  REBUILD_JOB_OPTIONS,
  UPKEEP_JOBS,
  type VerifyJob,
} from "@tranche/shared/queue/queues";
import type { RecordWrite } from "@tranche/shared/records/record";
import { createRebuildStore, isRunning } from "@tranche/shared/rebuild/state";
import { createIngestRuns } from "@tranche/shared/runs/ingest-runs";
import { lossReporter } from "@tranche/shared/runs/redis-loss";
import { createSearchClient } from "@tranche/shared/search/client";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { indexNames } from "@tranche/shared/search/index-names";
import type { OnRetry } from "@tranche/shared/search/retry-forever";
import { shownAddress, waitForEngine } from "@tranche/shared/search/wait";
import { clockOf, readSettings } from "@tranche/shared/settings/settings";
import { readOrExit } from "@tranche/shared/settings/read-or-exit";
import { readDealTypes } from "@tranche/shared/settings/vocabulary-file";
import { createTicketClock, ticketKey } from "@tranche/shared/ticket/ticket-clock";
import { Queue, Worker } from "bullmq";
import { noteDay, watchForEarlierDay } from "./maintenance/clock-day.ts";
import { assertNamed, documentsOf, recordsOf, verifyOf } from "./jobs/data.ts";
import { closeRuns } from "./maintenance/close-runs.ts";
import { deriveDocuments } from "./pipeline/derive-documents.ts";
import { deriveDue } from "./pipeline/due.ts";
import { microBatch } from "./jobs/micro-batch.ts";
import { ingestRecords, type Ingestion } from "./jobs/ingest.ts";
import { deadLetterId } from "./pipeline/dead-letters.ts";
import type { PipelineParts } from "./pipeline/parts.ts";
import { rederiveAll } from "./maintenance/rederive.ts";
import { purge } from "./purge/purge.ts";
import { prune } from "./rebuild/prune.ts";
import { retire } from "./rebuild/retire.ts";
import { runRebuild } from "./rebuild/rebuild.ts";
import { verify } from "./verify/verify.ts";

/** How often documents that time alone changes are looked for, and rebuilds that nobody works on. */
const UPKEEP_EVERY_MS = 30_000;
const PURGE_EVERY_MS = 6 * 3_600_000;
const WATCH_CLOCK_EVERY_MS = 5000;
/** Of records: while one batch is stored another is derived; what trickles in becomes visible about once a second. */
const BATCHES = { maxItems: 4000, lanes: 2, paceMs: 1000 };
/** A worker that does not end by itself in this time is left to its lock: the next one picks its job up. */
const CLOSE_WITHIN_MS = 20_000;

keepHeapSmall("indexer");
const settings = readOrExit(() => readSettings(process.env));
const log = createLogger("indexer", settings.TRANCHE_LOG_LEVEL);
const namespace = settings.TRANCHE_NAMESPACE;
const names = indexNames(namespace);
const prefix = queuePrefix(namespace);

const client = createSearchClient(
  { url: settings.ELASTICSEARCH_URL, apiKey: settings.ELASTICSEARCH_API_KEY, caFile: settings.ELASTICSEARCH_CA_FILE },
  { connections: 16, requestTimeoutMs: 60_000 },
);
const redis = createQueueConnection(settings.REDIS_URL, "tranche-indexer", settings.REDIS_CA_FILE);
redis.on("error", (error) => log.warn({ reason: error.message }, "Redis is away"));

try {
  const tell = (line: string) => log.warn(line);
  await waitForEngine("Elasticsearch", shownAddress(settings.ELASTICSEARCH_URL), () => client.cluster.health(), tell);
  await waitForEngine("Redis", shownAddress(settings.REDIS_URL), () => withLimit(redis.ping(), 2000), tell);
} catch (error) {
  log.fatal((error as Error).message);
  process.exit(1);
}
const layout = { shards: settings.TRANCHE_SHARDS, replicas: settings.TRANCHE_REPLICAS };
await ensureIndices(client, names, layout);

const queueOf = <T>(name: string) => {
  const queue = new Queue<T>(name, { connection: redis, prefix });
  // The connection's own errors are logged once, where it is made.
  return queue.on("error", () => {});
};
const ingestQueue = queueOf<IngestJob>(QUEUES.ingest);
const deriveQueue = queueOf<DeriveJob>(QUEUES.derive);
const dueQueue = queueOf<undefined>(QUEUES.due);
const upkeepQueue = queueOf<undefined>(QUEUES.upkeep);
const rebuildQueue = queueOf<undefined>(QUEUES.rebuild);
const deadLetterQueue = queueOf<DeadLetter>(QUEUES.deadLetters);
const rebuilds = createRebuildStore(client, names);
const onRetry: OnRetry = (error, attempt) =>
  log.warn({ reason: error.message, attempt }, "Elasticsearch does not answer as it should; waiting");
const tickets = createTicketClock({
  redis,
  client,
  controlIndex: names.control,
  redisKey: ticketKey(namespace),
  onLost: lossReporter({ client, names, upkeep: upkeepQueue, tell: (line) => log.error(line) }),
  onRetry,
});

const parts: PipelineParts = {
  client,
  names,
  tickets,
  dealTypes: readOrExit(() => readDealTypes(settings.TRANCHE_VOCABULARY_FILE)),
  now: clockOf(settings),
  log,
  onRetry,
  enqueueDerive: async (jobs) => {
    await deriveQueue.addBulk(jobs.map((data) => ({ name: "documents", data, opts: JOB_OPTIONS })));
  },
  sendToDeadLetters: async (deadLetters) => {
    await deadLetterQueue.addBulk(
      deadLetters.map((data) => ({ name: data.what.kind, data, opts: { ...JOB_OPTIONS, jobId: deadLetterId(data) } })),
    );
  },
  announcer: createAnnouncer({ redis, namespace, tickets }),
};

const shared = {
  connection: redis,
  prefix,
  // A job whose worker was killed is taken up again after about ten seconds, as often as that happens.
  lockDuration: 10_000,
  stalledInterval: 5000,
  maxStalledCount: 50,
};
const ingest = microBatch<RecordWrite, Ingestion>((writes) => ingestRecords(parts, writes), {
  ...BATCHES,
  maxJobs: settings.TRANCHE_INDEXER_CONCURRENCY,
});
const ending = new AbortController();
const ingestWorker = new Worker<IngestJob>(QUEUES.ingest, async (job, _token, lost) => ingest(recordsOf(job), lost), {
  ...shared,
  concurrency: settings.TRANCHE_INDEXER_CONCURRENCY,
});
// Redis was away for longer than locks last: what was not begun goes back to the queue instead of being done in vain. Without its lock a
// job can't fail either: it counts as stalled, and is taken again.
ingestWorker.on("lockRenewalFailed", (ids) => {
  for (const id of ids) ingestWorker.cancelJob(id, "its lock was lost");
});
const workers = [
  ingestWorker,
  new Worker<DeriveJob>(
    QUEUES.derive,
    async (job) => {
      const { rounds, companies } = documentsOf(job);
      return deriveDocuments(parts, { rounds: new Set(rounds), companies: new Set(companies) });
    },
    { ...shared, concurrency: 1 },
  ),
  new Worker(
    QUEUES.upkeep,
    async (job) => {
      const name = assertNamed(job, ...Object.values(UPKEEP_JOBS));
      if (name === UPKEEP_JOBS.maintain) return maintain();
      if (name === UPKEEP_JOBS.purge) return purge(parts);
      await schedule();
      return rederiveAll(parts, () => deriveQueue.getWaitingCount());
    },
    { ...shared, concurrency: 2 },
  ),
  new Worker(
    QUEUES.due,
    async (job) => {
      assertNamed(job, "due");
      await noteDay(parts);
      const isBusy = async () => (await ingestQueue.getJobCountByTypes("waiting", "active")) > 0;
      return deriveDue(parts, { isBusy, until: ending.signal, again: job.attemptsStarted > 1 });
    },
    shared,
  ),
  new Worker(
    QUEUES.rebuild,
    async (job) => {
      assertNamed(job, "rebuild");
      return runRebuild({ ...parts, rebuilds, layout, onProgress: (done) => job.updateProgress(done) });
    },
    shared,
  ),
  new Worker<VerifyJob>(
    QUEUES.verify,
    async (job) => {
      assertNamed(job, "verify");
      return verify(parts, { ...verifyOf(job), onProgress: (done) => job.updateProgress(done) });
    },
    shared,
  ),
];

/** A rebuild whose job was lost is taken up again; what ended ones left is cleared away in time; ingest runs that are through are closed. */
async function maintain(): Promise<void> {
  const read = await rebuilds.read();
  if (read && isRunning(read.rebuild)) await rebuildQueue.add("rebuild", undefined, REBUILD_JOB_OPTIONS);
  else {
    await retire({ client, names, rebuilds, log }, { keptHours: settings.TRANCHE_ROLLBACK_HOURS, now: Date.now() });
    await prune({ client, names, rebuilds, log });
  }
  await closeRuns({
    runs: createIngestRuns(client, names),
    queues: [ingestQueue, deriveQueue],
    isLost: async () => (await redis.exists(ticketKey(namespace))) === 0,
  });
}

/** What comes by the clock stands in Redis, too, and is lost with it. */
async function schedule(): Promise<void> {
  const plan = async (queue: Queue, name: string, every: number) => {
    await queue.upsertJobScheduler(name, { every }, { name, opts: JOB_OPTIONS });
  };
  await plan(upkeepQueue, UPKEEP_JOBS.maintain, UPKEEP_EVERY_MS);
  await plan(upkeepQueue, UPKEEP_JOBS.purge, PURGE_EVERY_MS);
  await plan(dueQueue, "due", UPKEEP_EVERY_MS);
  // One pass at a time, of all indexers: the next one waits in the queue for the end of this one.
  await dueQueue.setGlobalConcurrency(1);
}

/** A ticket is taken now and then even when there is nothing to do: that is how a Redis without its data is noticed. */
async function watchClock(): Promise<never> {
  for (;;) {
    await tickets.take().catch((error: Error) => log.error({ err: error }, "no ticket could be taken"));
    await pause(WATCH_CLOCK_EVERY_MS);
  }
}

for (const worker of workers) {
  worker.on("error", (error) => log.warn({ queue: worker.name, reason: error.message }, "a queue does not answer"));
  worker.on("failed", (job, error) => log.error({ queue: worker.name, job: job?.id, err: error }, "a job failed"));
  worker.on("completed", (job, result) => log.debug({ queue: worker.name, job: job.id, result }, "a job is done"));
}
await schedule();
// Once before any write: a clock lost while nobody looked is noticed now.
await tickets.take();
void watchClock();
await watchForEarlierDay(parts, async (noted) => {
  log.warn({ noted }, "the clock stands on an earlier day than before: every document is derived afresh");
  await upkeepQueue.add(UPKEEP_JOBS.rederive, undefined, {
    ...JOB_OPTIONS,
    deduplication: { id: "rederive" },
  });
});
// A clock that was set to another day while no indexer ran shows at once.
await dueQueue.add("due", undefined, JOB_OPTIONS);
log.info({ namespace, concurrency: settings.TRANCHE_INDEXER_CONCURRENCY }, "the indexer takes jobs");

onShutdown(async (reason) => {
  ending.abort();
  log.info({ reason }, "closing");
  await withLimit(Promise.all(workers.map((worker) => worker.close())), CLOSE_WITHIN_MS).catch((error: Error) =>
    log.warn({ reason: error.message }, "a worker did not end in time"),
  );
});

function withLimit<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
