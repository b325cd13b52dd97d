import type { IngestLosses } from "@tranche/shared/protocol/runs/ingest-losses";
import { areMarksForgotten, type IngestRun, type IngestRuns } from "@tranche/shared/protocol/runs/ingest-runs";
import type { Queue } from "bullmq";

const UNDONE = ["waiting", "active", "delayed", "prioritized", "waiting-children"] as const;

/**
 * Closes ingest runs whose work is done. The order matters: the runs had enqueued everything, then the queues are empty, and then Redis
 * is examined and still has their marks, so the queues are empty because the work was done and not because Redis lost it. Runs that
 * lost jobs are reported. Runs too old to know, such as those that were broken off, are closed as well.
 */
export async function closeRuns(parts: {
  runs: Pick<IngestRuns, "open" | "close">;
  losses: Pick<IngestLosses, "doneAgain">;
  areQueuesEmpty: () => Promise<boolean>;
  /** Whether ingest jobs have failed as a whole: a former loss may be among their records. */
  haveJobsFailed: () => Promise<boolean>;
  /** Examines Redis; a loss that is noticed closes the runs that lost something. */
  examine: () => Promise<unknown>;
  /** The last job of each run that Redis has marked. */
  markedJobs: (runs: readonly string[]) => Promise<number[]>;
  reportLost: (id: string, runs: readonly IngestRun[]) => Promise<void>;
}): Promise<void> {
  const { runs, losses } = parts;
  const before = new Set((await runs.open()).filter(isOver).map(({ id }) => id));
  if (before.size === 0) return;
  if (!(await parts.areQueuesEmpty())) return;
  await parts.examine();
  // Read again: a loss may have closed some of them.
  const over = (await runs.open()).filter(({ id }) => before.has(id));
  const marks = await parts.markedJobs(over.map(({ id }) => id));
  const isWhole = (run: IngestRun, i: number) => marks[i]! >= run.jobs || (marks[i] === 0 && areMarksForgotten(run));
  const done = over.filter(isWhole);
  await runs.close(done);
  if (!(await parts.haveJobsFailed()))
    for (const run of done) if (run.enqueued_at !== null && run.ended !== "broken") await losses.doneAgain(run);
  const lost = over.filter((run, i) => !isWhole(run, i));
  if (lost.length > 0) await parts.reportLost(lost[0]!.id, lost);
}

const isOver = (run: IngestRun): boolean => run.enqueued_at !== null || areMarksForgotten(run);

/** Whether no queue has a job that is not done. Checks them in the given order, because a job adds jobs to later queues. */
export async function areEmpty(queues: readonly Pick<Queue, "getJobCounts">[]): Promise<boolean> {
  for (const queue of queues) {
    const counts = await queue.getJobCounts(...UNDONE);
    if (Object.values(counts).some((count) => count > 0)) return false;
  }
  return true;
}
