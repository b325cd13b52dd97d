import type { Logger } from "@tranche/shared/process/logger";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { connectionErrorText } from "@tranche/shared/engines/redis/connection-errors";
import { type Job, Worker } from "bullmq";
import { createHandlers, type HandledQueue } from "../jobs/handlers.ts";
import { requeue } from "../jobs/requeue.ts";
import { LeftToOthers } from "../rebuild/share-out.ts";
import { createIngestWorker } from "./ingest-worker.ts";
import { LOCKS, type WorkerOptions, type WorkerParts } from "./parts.ts";
import { createWebhooksWorker } from "./webhooks-worker.ts";

/** How many jobs of a queue a process does at once. */
const AT_ONCE: Record<HandledQueue, number> = {
  [QUEUES.derive]: 1,
  [QUEUES.fanout]: 1,
  [QUEUES.investors]: 1,
  /** Maintenance, and two derivations of everything: one that runs, and one after a loss that was noticed meanwhile. */
  [QUEUES.upkeep]: 3,
  [QUEUES.due]: 1,
  [QUEUES.rebuild]: 1,
  /** While one slice begins or ends, the other keeps the engine busy. More would be no faster, and readers would wait for them. */
  [QUEUES.copy]: 2,
  [QUEUES.verify]: 1,
  [QUEUES.explain]: 1,
};

/** One worker per queue. They take jobs at once. */
export function createWorkers(parts: WorkerParts, options: WorkerOptions): Worker[] {
  const handlers = createHandlers({ ...parts, until: options.until });
  const workerOf = (queue: HandledQueue) =>
    new Worker(
      queue,
      (job, token) =>
        parts.track(queue, () =>
          parts.gate.pass(queue, job, token, () => orRequeue(job, token, () => handlers[queue](job))),
        ),
      { ...options.access, ...LOCKS, concurrency: AT_ONCE[queue] },
    );
  const workers = [createIngestWorker(parts, options), ...(Object.keys(AT_ONCE) as HandledQueue[]).map(workerOf)];
  if (parts.webhooks) workers.push(createWebhooksWorker(parts.webhooks, parts, options));
  for (const worker of workers) logEvents(worker, parts.pipeline.log);
  parts.gate.holds(workers);
  return workers;
}

/** The work of a job. What this process can't wait for while it shuts down is put back for another one. */
async function orRequeue<T>(job: Job, token: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LeftToOthers) return requeue(job, token, error.afterMs);
    throw error;
  }
}

function logEvents(worker: Worker, log: Logger): void {
  worker.on("error", (error) =>
    log.warn({ queue: worker.name, reason: connectionErrorText(error) }, "a queue does not answer"),
  );
  worker.on("failed", (job, error) => log.error({ queue: worker.name, job: job?.id, err: error }, "a job failed"));
  worker.on("completed", (job, result) => log.debug({ queue: worker.name, job: job.id, result }, "a job is done"));
}
