import { type IngestJob, QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { Worker } from "bullmq";
import { hasRecords, isAgain, recordsOf } from "../jobs/data.ts";
import { ingestRecords, type Ingestion } from "../jobs/ingest.ts";
import { microBatch } from "../jobs/micro-batch.ts";
import { LOCKS, type WorkerOptions, type WorkerParts } from "./parts.ts";

/** Batches of records: one is stored while another is derived. */
const BATCHES = { maxItems: 8000, concurrency: 2 };
/** A worker that is paused while it waits for a job still takes one within this time. */
const DRAIN_DELAY_S = 1;

/**
 * Stores records in batches of waiting jobs. Jobs that were begun before have batches of their own, because their documents may be
 * written already and count as changed: a killed indexer leaves as many as it had at once.
 */
export function createIngestWorker(
  {
    pipeline,
    track,
    gate,
    onSearchable,
    failedIngests,
  }: Pick<WorkerParts, "pipeline" | "track" | "gate" | "onSearchable" | "failedIngests">,
  { access, concurrency }: WorkerOptions,
): Worker {
  const batched = (again: boolean) =>
    microBatch<RecordWrite, Ingestion>(
      (writes, batch) => ingestRecords(pipeline, writes, { again: again || batch.again, since: batch.since }),
      {
        ...BATCHES,
        paceMs: pipeline.timing.ingestBatch,
        maxJobs: concurrency,
      },
    );
  const [ingest, ingestAgain] = [batched(false), batched(true)];
  const worker = new Worker<IngestJob>(
    QUEUES.ingest,
    (job, token, lost) =>
      track(QUEUES.ingest, () =>
        gate.pass(QUEUES.ingest, job, token, async () => {
          if (!isAgain(job)) return ingest(recordsOf(job), job.timestamp, lost);
          // It failed, and an operator retried it. If it fails again, it is kept again.
          if (job.attemptsMade > 0) await failedIngests.forget(job);
          return ingestAgain(recordsOf(job), job.timestamp, lost);
        }),
      ),
    { ...access, ...LOCKS, concurrency, drainDelay: DRAIN_DELAY_S },
  );
  worker.on("completed", (job) => onSearchable((Date.now() - job.timestamp) / 1000));
  worker.on("failed", (job, error) => {
    if (!job || !hasRecords(job)) return;
    failedIngests.keep(job, error.message).catch((reason: unknown) => {
      pipeline.log.error({ job: job.id, err: reason }, "a failed job can't be kept: only Redis has its records");
    });
  });
  // Redis was away for longer than a lock lasts. A job that has not begun is cancelled, because another worker may take it. Without
  // its lock it can't fail either: it counts as stalled and is taken again.
  worker.on("lockRenewalFailed", (ids) => {
    for (const id of ids) worker.cancelJob(id, "its lock was lost");
  });
  return worker;
}
