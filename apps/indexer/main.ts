import { createHash } from "node:crypto";
import { createLogger } from "@tranche/shared/log/logger";
import { createQueueConnection } from "@tranche/shared/queue/connection";
import { announceGeneration } from "@tranche/shared/queue/generation";
import {
  type DeadLetter,
  type DeriveJob,
  type IngestJob,
  JOB_OPTIONS,
  queuePrefix,
  QUEUES,
  REBUILD_JOB_OPTIONS,
  type UpkeepJob,
  type VerifyJob,
} from "@tranche/shared/queue/queues";
import { createRebuildStore, isRunning } from "@tranche/shared/rebuild/state";
import { createSearchClient } from "@tranche/shared/search/client";
import { ensureIndices, indexNames } from "@tranche/shared/search/indices";
import { shownAddress, waitForEngine } from "@tranche/shared/search/wait";
import { clockOf, readSettings } from "@tranche/shared/settings/settings";
import { readDealTypes } from "@tranche/shared/settings/vocabulary-file";
import { createTicketClock, ticketKey } from "@tranche/shared/ticket/ticket-clock";
import { Queue, Worker } from "bullmq";
import { deriveDocuments } from "./jobs/derive.ts";
import { enqueueDue } from "./jobs/due.ts";
import { ingestRecords } from "./jobs/ingest.ts";
import type { JobParts } from "./jobs/parts.ts";
import { rederiveAll } from "./jobs/rederive.ts";
import { prune } from "./rebuild/prune.ts";
import { runRebuild } from "./rebuild/rebuild.ts";
import { verify } from "./verify/verify.ts";

/** How often documents that time alone changes are looked for, and rebuilds that nobody works on. */
const UPKEEP_EVERY_MS = 30_000;
/** A worker that does not end by itself in this time is left to its lock: the next one picks its job up. */
const CLOSE_WITHIN_MS = 20_000;

const settings = readSettings(process.env);
const log = createLogger("indexer", settings.TRANCHE_LOG_LEVEL);
const namespace = settings.TRANCHE_NAMESPACE;
const names = indexNames(namespace);
const prefix = queuePrefix(namespace);

const client = createSearchClient(
  { url: settings.ELASTICSEARCH_URL, apiKey: settings.ELASTICSEARCH_API_KEY },
  { connections: 16, requestTimeoutMs: 60_000 },
);
const redis = createQueueConnection(settings.REDIS_URL, "tranche-indexer");
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

const queueOf = <T>(name: string) => new Queue<T>(name, { connection: redis, prefix });
const deriveQueue = queueOf<DeriveJob>(QUEUES.derive);
const upkeepQueue = queueOf<undefined>(QUEUES.upkeep);
const rebuildQueue = queueOf<undefined>(QUEUES.rebuild);
const deadLetters = queueOf<DeadLetter>(QUEUES.deadLetters);
const rebuilds = createRebuildStore(client, names);
const tickets = createTicketClock({
  redis,
  client,
  controlIndex: names.control,
  redisKey: ticketKey(namespace),
  onLost: async () => {
    log.error("Redis lost its data: deriving every document afresh");
    await upkeepQueue.add("rederive" satisfies UpkeepJob, undefined, {
      ...JOB_OPTIONS,
      deduplication: { id: "rederive" },
    });
  },
});

const parts: JobParts = {
  client,
  names,
  tickets,
  dealTypes: readDealTypes(settings.TRANCHE_VOCABULARY_FILE),
  now: clockOf(settings),
  log,
  onTrouble: (error, attempt) =>
    log.warn({ reason: error.message, attempt }, "Elasticsearch does not answer as it should; waiting"),
  enqueueDerive: async (jobs) => {
    await deriveQueue.addBulk(jobs.map((data) => ({ name: "documents", data, opts: JOB_OPTIONS })));
  },
  bury: async (letters) => {
    await deadLetters.addBulk(
      letters.map((data) => ({ name: data.what.kind, data, opts: { ...JOB_OPTIONS, jobId: letterId(data) } })),
    );
  },
  announce: async (models) => announceGeneration(redis, namespace, models, await tickets.take()),
};

const shared = { connection: redis, prefix, maxStalledCount: 50 };
const workers = [
  new Worker<IngestJob>(QUEUES.ingest, (job) => ingestRecords(parts, job.data.records), {
    ...shared,
    concurrency: settings.TRANCHE_INDEXER_CONCURRENCY,
  }),
  new Worker<DeriveJob>(
    QUEUES.derive,
    (job) => deriveDocuments(parts, { rounds: new Set(job.data.rounds), companies: new Set(job.data.companies) }),
    { ...shared, concurrency: 1 },
  ),
  new Worker(
    QUEUES.upkeep,
    (job) => {
      if (job.name === "due") return enqueueDue(parts);
      if (job.name === "tend") return tendRebuild();
      return rederiveAll(parts, () => deriveQueue.getWaitingCount());
    },
    { ...shared, concurrency: 2 },
  ),
  new Worker(
    QUEUES.rebuild,
    (job) => runRebuild({ ...parts, rebuilds, layout, onProgress: (done) => job.updateProgress(done) }),
    shared,
  ),
  new Worker<VerifyJob>(
    QUEUES.verify,
    (job) => verify(parts, { repair: job.data.repair, onProgress: (done) => job.updateProgress(done) }),
    shared,
  ),
];

/** A rebuild whose job was lost is taken up again; what an ended one left is cleared away. */
async function tendRebuild(): Promise<void> {
  const read = await rebuilds.read();
  if (read && isRunning(read.rebuild)) await rebuildQueue.add("rebuild", undefined, REBUILD_JOB_OPTIONS);
  else await prune({ client, names, rebuilds, log });
}

for (const worker of workers) {
  worker.on("error", (error) => log.warn({ queue: worker.name, reason: error.message }, "a queue does not answer"));
  worker.on("failed", (job, error) => log.error({ queue: worker.name, job: job?.id, err: error }, "a job failed"));
  worker.on("completed", (job, result) => log.debug({ queue: worker.name, job: job.id, result }, "a job is done"));
}
for (const name of ["due", "tend"] satisfies UpkeepJob[]) {
  await upkeepQueue.upsertJobScheduler(name, { every: UPKEEP_EVERY_MS }, { name, opts: JOB_OPTIONS });
}
// Asked once at the start, so that a clock lost while nobody looked is noticed before the next write.
await tickets.take();
log.info({ namespace, concurrency: settings.TRANCHE_INDEXER_CONCURRENCY }, "the indexer takes jobs");

let closing = false;
async function close(reason: string): Promise<void> {
  if (closing) return;
  closing = true;
  log.info({ reason }, "closing");
  await withLimit(Promise.all(workers.map((worker) => worker.close())), CLOSE_WITHIN_MS).catch((error: Error) =>
    log.warn({ reason: error.message }, "a worker did not end in time"),
  );
  process.exit(0);
}
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void close(signal));
process.on("disconnect", () => void close("the parent process is gone"));

/** A letter's id: the same trouble met again, by a repeated job, is the same letter. */
function letterId({ what }: DeadLetter): string {
  const named = what.kind === "write" ? [what.write.type, what.write.id, what.write.version] : [what.model, what.id];
  return createHash("sha256").update(JSON.stringify(named)).digest("hex").slice(0, 32);
}

function withLimit<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
