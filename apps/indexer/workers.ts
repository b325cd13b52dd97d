import type { Logger } from "@tranche/shared/log/logger";
import {
  type DeriveJob,
  type ExplainJob,
  type IngestJob,
  QUEUES,
  RESHARD_JOBS,
  type ReshardJob,
  type SliceJob,
  type VerifyJob,
} from "@tranche/shared/queue/queues";
import { readRoles } from "@tranche/shared/rebuild/roles";
import type { RecordWrite } from "@tranche/shared/records/record";
import { READ_MODELS } from "@tranche/shared/search/index-names";
import type { Delivery } from "@tranche/webhooks/deliveries/delivery-log";
import { dayOfTime, isoDay } from "@tranche/shared/time/day";
import { type Job, Worker, type WorkerOptions as QueueWorkerOptions } from "bullmq";
import type { RedisClient } from "@tranche/shared/redis/connect";
import type { TrackJob } from "./health/track-jobs.ts";
import type { WorkedQueue } from "@tranche/shared/queue/formats";
import {
  assertNamed,
  deliverOf,
  documentsOf,
  explainOf,
  recordsOf,
  reshardOf,
  runOf,
  sendOf,
  verifyOf,
} from "./jobs/data.ts";
import { ingestRecords, type Ingestion } from "./jobs/ingest.ts";
import { deriveNoted } from "./jobs/investors.ts";
import { microBatch } from "./jobs/micro-batch.ts";
import { putBack } from "./jobs/put-back.ts";
import { doSlice } from "./jobs/slices.ts";
import { upkeep, type Upkeep } from "./jobs/upkeep.ts";
import type { VersionGate } from "./jobs/version-gate.ts";
import { type DayStore, noteDay } from "./maintenance/clock-day.ts";
import { deriveDocuments } from "./pipeline/derive-documents.ts";
import { deriveFanout } from "./pipeline/fanout.ts";
import { deriveDue } from "./pipeline/due.ts";
import type { PipelineParts } from "./pipeline/parts.ts";
import { rederivation } from "./maintenance/rederive.ts";
import type { IndexerQueues } from "./queues.ts";
import { copyCompanies } from "./rebuild/copy-companies.ts";
import { copyInvestors } from "./rebuild/copy-investors.ts";
import type { RebuildParts } from "./rebuild/parts.ts";
import { runRebuild } from "./rebuild/rebuild.ts";
import { reshard, undo } from "./reshard/reshard.ts";
import { Interrupted } from "./slices/share-out.ts";
import type { SliceStore } from "./slices/store.ts";
import type { SlicedWork } from "./slices/work.ts";
import { deriveForExplanation } from "./verify/explain.ts";
import { verification } from "./verify/verify.ts";
import { verifyAll } from "./verify/verify-all.ts";
import { deliverSafely, type Outcome } from "./webhooks/deliver.ts";
import type { WebhookParts } from "./webhooks/parts.ts";
import { sendOnce } from "./webhooks/send-once.ts";

/** Of records: one batch is stored while another is derived; single records become visible about once per second. */
const BATCHES = { maxItems: 4000, lanes: 2, paceMs: 1000 };
/** Slices that a process works on at once: while one begins or ends, the others keep the engine busy. */
const SLICES_AT_ONCE = 6;
/** Webhooks that a process delivers to at once. Nearly all the time they wait for receivers, of which a slow one holds up no other. */
const DELIVERIES_AT_ONCE = 200;
/** A job whose worker was killed is taken again after about ten seconds, however often that happens. */
const LOCKS = { lockDuration: 10_000, stalledInterval: 5000, maxStalledCount: 50 };

export type WorkerOptions = {
  connection: RedisClient;
  prefix: string;
  /** Ingest jobs that run at once. */
  concurrency: number;
  /** Ends a pass over due documents early, and puts back what waits for slices. */
  until: AbortSignal;
};

export type WorkerParts = {
  pipeline: PipelineParts;
  /** Runs the work of a job, so that the process can say whether it goes on. */
  track: TrackJob;
  /** Called with the seconds from the enqueueing of a job of records until it is searchable. */
  onSearchable: (seconds: number) => void;
  /** Leaves the work of later versions to them. */
  gate: VersionGate;
  queues: Pick<IndexerQueues, "ingest" | "copy">;
  /** The number of derivations that wait. */
  waiting: () => Promise<number>;
  days: DayStore;
  rebuild: Pick<RebuildParts, "rebuilds" | "layout" | "redis" | "namespace">;
  slices: SliceStore;
  upkeep: Upkeep;
  /** Undefined while webhooks are off. */
  webhooks: WebhookParts | undefined;
};

/** One worker per queue. They take jobs at once. */
export function createWorkers(parts: WorkerParts, options: WorkerOptions): Worker[] {
  const { pipeline, queues, slices } = parts;
  const shared = { connection: options.connection, prefix: options.prefix, ...LOCKS };
  const isBusy = async () => (await queues.ingest.getJobCountByTypes("waiting", "active")) > 0;
  const workerOf = <Data>(
    queue: WorkedQueue,
    work: (job: Job<Data>) => Promise<unknown>,
    more: Partial<QueueWorkerOptions> = {},
  ) =>
    new Worker<Data>(
      queue,
      (job, token) =>
        parts.gate.pass(queue, job, token, () => parts.track(queue, () => orPutBack(job, token, () => work(job)))),
      { ...shared, ...more },
    );
  const copyParts = { ...pipeline, rebuilds: parts.rebuild.rebuilds };
  const { until } = options;
  const rederiveParts = { ...pipeline, waiting: parts.waiting, until };
  const works: SlicedWork<unknown>[] = [
    copyCompanies(copyParts),
    copyInvestors(copyParts),
    ...READ_MODELS.flatMap((model) => [
      ...[false, true].map((repair) => verification(pipeline, { model, repair })),
      ...[false, true].map((again) => rederivation(rederiveParts, { model, again })),
    ]),
  ];
  const workers: Worker[] = [
    createIngestWorker(parts, options),
    workerOf<DeriveJob>(
      QUEUES.derive,
      async (job) => {
        const { rounds, companies, investors, again } = documentsOf(job);
        return deriveDocuments(
          pipeline,
          {
            rounds: new Set(rounds),
            companies: new Set(companies),
            investors: new Set(investors),
          },
          { again: again || isAgain(job) },
        );
      },
      { concurrency: 1 },
    ),
    workerOf(QUEUES.fanout, async (job) => {
      assertNamed(job, "fanout");
      return deriveFanout(pipeline, { isBusy, until, again: isAgain(job) });
    }),
    workerOf(QUEUES.investors, async (job) => {
      assertNamed(job, "investors");
      return deriveNoted(pipeline, { isBusy, until });
    }),
    workerOf(QUEUES.upkeep, async (job) => upkeep(job, parts.upkeep), { concurrency: 2 }),
    workerOf(QUEUES.due, async (job) => {
      assertNamed(job, "due");
      await noteDay(parts.days, isoDay(dayOfTime(pipeline.now())));
      return deriveDue(pipeline, { isBusy, until, again: isAgain(job) });
    }),
    workerOf(QUEUES.rebuild, async (job) => {
      assertNamed(job, "rebuild");
      return runRebuild({
        ...pipeline,
        ...parts.rebuild,
        slices,
        copyQueue: queues.copy,
        until,
        onProgress: (done) => job.updateProgress(done),
      });
    }),
    workerOf<SliceJob>(
      QUEUES.copy,
      async (job) => {
        // The slices of a later version's rebuild are for its indexers: documents of this version lack what they derive.
        await pipeline.versions.admit(await readRoles(pipeline.client, pipeline.names));
        return doSlice(job, works, { slices, queue: queues.copy, until });
      },
      { concurrency: SLICES_AT_ONCE },
    ),
    workerOf<VerifyJob>(QUEUES.verify, async (job) => {
      assertNamed(job, "verify");
      return verifyAll(
        { ...pipeline, slices, queue: queues.copy, until },
        { ...verifyOf(job), run: runOf(job), onProgress: (done) => job.updateProgress(done) },
      );
    }),
    workerOf<ReshardJob>(QUEUES.reshard, async (job) => {
      if (assertNamed(job, ...Object.values(RESHARD_JOBS)) === RESHARD_JOBS.undo) return undo(pipeline);
      return reshard(pipeline, { ...reshardOf(job), onProgress: (done) => job.updateProgress(done) });
    }),
    workerOf<ExplainJob>(QUEUES.explain, async (job) => {
      assertNamed(job, "explain");
      return deriveForExplanation(pipeline, explainOf(job));
    }),
  ];
  if (parts.webhooks) workers.push(createWebhooksWorker(parts.webhooks, parts, options));
  for (const worker of workers) logEvents(worker, pipeline.log);
  parts.gate.holds(workers);
  return workers;
}

function createIngestWorker(
  { pipeline, track, gate, onSearchable }: Pick<WorkerParts, "pipeline" | "track" | "gate" | "onSearchable">,
  { connection, prefix, concurrency }: WorkerOptions,
): Worker {
  const ingest = microBatch<RecordWrite, Ingestion>((writes, again) => ingestRecords(pipeline, writes, { again }), {
    ...BATCHES,
    maxJobs: concurrency,
  });
  const worker = new Worker<IngestJob>(
    QUEUES.ingest,
    (job, token, lost) =>
      gate.pass(QUEUES.ingest, job, token, () =>
        track(QUEUES.ingest, async () =>
          isAgain(job) ? ingestRecords(pipeline, recordsOf(job), { again: true }) : ingest(recordsOf(job), lost),
        ),
      ),
    { connection, prefix, ...LOCKS, concurrency },
  );
  worker.on("completed", (job) => onSearchable((Date.now() - job.timestamp) / 1000));
  // Redis was away for longer than a lock lasts. A job that has not begun is cancelled, because another worker may take it. Without
  // its lock it can't fail either: it counts as stalled and is taken again.
  worker.on("lockRenewalFailed", (ids) => {
    for (const id of ids) worker.cancelJob(id, "its lock was lost");
  });
  return worker;
}

function createWebhooksWorker(
  webhooks: WebhookParts,
  { gate, track }: Pick<WorkerParts, "gate" | "track">,
  { connection, prefix, until }: WorkerOptions,
): Worker {
  const work = (job: Job): Promise<Outcome | Delivery> =>
    assertNamed(job, "deliver", "send") === "send"
      ? sendOnce(webhooks, sendOf(job))
      : deliverSafely(webhooks, deliverOf(job).webhook, until);
  return new Worker(
    QUEUES.webhooks,
    (job, token) =>
      gate.pass(QUEUES.webhooks, job, token, async () => {
        const outcome = await track(QUEUES.webhooks, () => work(job));
        if (typeof outcome === "string" || !("againMs" in outcome)) return outcome;
        return putBack(job, token, outcome.againMs);
      }),
    { connection, prefix, ...LOCKS, concurrency: DELIVERIES_AT_ONCE },
  );
}

/** The work of a job. What this process can't wait for while it shuts down is put back for another one. */
async function orPutBack<T>(job: Job, token: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Interrupted) return putBack(job, token, 0);
    throw error;
  }
}

/** Whether a job was begun before, by somebody who may have died after it was written. */
const isAgain = (job: Job): boolean => job.attemptsStarted > 1;

function logEvents(worker: Worker, log: Logger): void {
  worker.on("error", (error) => log.warn({ queue: worker.name, reason: error.message }, "a queue does not answer"));
  worker.on("failed", (job, error) => log.error({ queue: worker.name, job: job?.id, err: error }, "a job failed"));
  worker.on("completed", (job, result) => log.debug({ queue: worker.name, job: job.id, result }, "a job is done"));
}
