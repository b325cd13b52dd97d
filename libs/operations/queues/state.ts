import type { Queue } from "bullmq";
import { createdAt, jobsIn } from "./jobs.ts";

export type QueueState = {
  queue: string;
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  /** The wait of the job that has waited longest; null when none waits. */
  oldest_waiting_seconds: number | null;
  workers: number;
};

export async function queueState(queue: Queue): Promise<QueueState> {
  const [counts, [oldest], workers] = await Promise.all([
    queue.getJobCounts("waiting", "active", "delayed", "failed"),
    jobsIn(queue, "waiting", 1, "oldest"),
    queue.getWorkersCount(),
  ]);
  const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
  const since = oldest ? createdAt(oldest) : null;
  const age = since === null ? null : Math.max(0, Math.round((Date.now() - since) / 1000));
  return { queue: queue.name, waiting, active, delayed, failed, oldest_waiting_seconds: age, workers };
}
