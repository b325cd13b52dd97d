import type { IngestRuns } from "@tranche/shared/runs/ingest-runs";
import type { Queue } from "bullmq";

const UNDONE = ["waiting", "active", "delayed", "prioritized", "waiting-children"] as const;

/**
 * Closes ingest runs whose work is done. The order matters: the runs had enqueued everything, then the queues are empty, and then
 * Redis still has its ticket clock, so the queues are empty because the work was done and not because Redis lost its data.
 */
export async function closeRuns(parts: {
  runs: Pick<IngestRuns, "open" | "close">;
  areQueuesEmpty: () => Promise<boolean>;
  isRedisLost: () => Promise<boolean>;
}): Promise<void> {
  const enqueued = (await parts.runs.open()).filter((run) => run.enqueued_at !== null);
  if (enqueued.length === 0) return;
  if (!(await parts.areQueuesEmpty())) return;
  if (await parts.isRedisLost()) return;
  await parts.runs.close(enqueued);
}

/** Whether no queue has a job that is not done. Looks at them in the given order, because a job adds jobs to later queues. */
export async function areEmpty(queues: readonly Pick<Queue, "getJobCounts">[]): Promise<boolean> {
  for (const queue of queues) {
    const counts = await queue.getJobCounts(...UNDONE);
    if (Object.values(counts).some((count) => count > 0)) return false;
  }
  return true;
}
