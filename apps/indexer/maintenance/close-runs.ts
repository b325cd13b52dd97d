import type { IngestRuns } from "@tranche/shared/runs/ingest-runs";
import type { Queue } from "bullmq";

const UNDONE = ["waiting", "active", "delayed", "prioritized", "waiting-children"] as const;

/**
 * Closes the ingest runs of which nothing is left to do. The order matters: runs that were all in the queue, then a queue seen
 * empty, and then a Redis that still has its clock, so that it is empty because the work was done.
 */
export async function closeRuns(parts: {
  runs: IngestRuns;
  queues: readonly Queue[];
  isLost: () => Promise<boolean>;
}): Promise<void> {
  const enqueued = (await parts.runs.open()).filter((run) => run.enqueued_at !== null);
  if (enqueued.length === 0) return;
  for (const queue of parts.queues) {
    const counts = await queue.getJobCounts(...UNDONE);
    if (Object.values(counts).some((count) => count > 0)) return;
  }
  if (await parts.isLost()) return;
  await parts.runs.close(enqueued);
}
