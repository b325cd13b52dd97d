import type { Logger } from "@tranche/shared/log/logger";
import {
  type DeriveJob,
  type ExplainJob,
  QUEUES,
  RESHARD_JOBS,
  type ReshardJob,
  type SliceJob,
  type VerifyJob,
} from "@tranche/shared/queue/queues";
import { readRoles } from "@tranche/shared/rebuild/roles";
import { dayOfTime, isoDay } from "@tranche/shared/time/day";
import { type Job, Worker, type WorkerOptions as QueueWorkerOptions } from "bullmq";
import type { WorkedQueue } from "@tranche/shared/queue/formats";
import { assertNamed, documentsOf, explainOf, reshardOf, runOf, verifyOf } from "../jobs/data.ts";
import { deriveNotedInvestors } from "../pipeline/noted-investors.ts";
import { requeue } from "../jobs/requeue.ts";
import { doSlice } from "../jobs/slices.ts";
import { upkeep } from "../jobs/upkeep.ts";
import { noteDay } from "../maintenance/clock-day.ts";
import { deriveDocuments } from "../pipeline/derive-documents.ts";
import { deriveFanout } from "../pipeline/fanout.ts";
import { deriveDue } from "../pipeline/due.ts";
import { runRebuild } from "../rebuild/rebuild.ts";
import { reshard, undo } from "../reshard/reshard.ts";
import { Interrupted } from "../slices/share-out.ts";
import { deriveForExplanation } from "../verify/explain.ts";
import { verifyAll } from "../verify/verify-all.ts";
import { createIngestWorker } from "./ingest-worker.ts";
import { isAgain, LOCKS, type WorkerOptions, type WorkerParts } from "./parts.ts";
import { slicedWorks } from "./sliced-works.ts";
import { createWebhooksWorker } from "./webhooks-worker.ts";

/** Slices that a process works on at once: while one begins or ends, the others keep the engine busy. */
const SLICES_AT_ONCE = 6;

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
        parts.track(queue, () => parts.gate.pass(queue, job, token, () => orRequeue(job, token, () => work(job)))),
      { ...shared, ...more },
    );
  const { until } = options;
  const works = slicedWorks({ ...parts, until });
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
      return deriveNotedInvestors(pipeline, { isBusy, until });
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

/** The work of a job. What this process can't wait for while it shuts down is put back for another one. */
async function orRequeue<T>(job: Job, token: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Interrupted) return requeue(job, token, 0);
    throw error;
  }
}

function logEvents(worker: Worker, log: Logger): void {
  worker.on("error", (error) => log.warn({ queue: worker.name, reason: error.message }, "a queue does not answer"));
  worker.on("failed", (job, error) => log.error({ queue: worker.name, job: job?.id, err: error }, "a job failed"));
  worker.on("completed", (job, result) => log.debug({ queue: worker.name, job: job.id, result }, "a job is done"));
}
