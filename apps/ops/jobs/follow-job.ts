import { setTimeout as pause } from "node:timers/promises";
import type { Job, Queue } from "bullmq";
import type { Ops } from "../context/ops.ts";
import { Failure, Interrupted } from "../terminal/failure.ts";
import { createProgress, type Progress } from "../terminal/progress.ts";
import { watchForStall } from "@tranche/operations/queues/stall";

/**
 * Waits for a job that an indexer does, and returns its result. `what`: the work, as in `the comparison`. `show` shows where the job is,
 * and returns its result. Until then it reports progress. After Ctrl-C it rejects with Interrupted: the indexer continues.
 */
export async function followJob<Result>(
  ops: Ops,
  { queue, id, what }: { queue: Queue; id: string; what: string },
  show: (progress: Progress, job: Job) => string,
): Promise<Result> {
  const { timing } = await ops.engines();
  const progress = createProgress(ops.terminal);
  const checkStall = watchForStall(queue, progress.warn);
  const interrupted = ops.onInterrupt();
  const What = what[0]!.toUpperCase() + what.slice(1);
  try {
    for (;;) {
      // The state is read first, so the result of an ended job is present when the job is read.
      const state = await queue.getJobState(id);
      const job = (await queue.getJob(id)) as Job | undefined;
      if (!job) throw new Failure(`${What} was lost because Redis lost its data. Run it again.`);
      if (state === "completed") return job.returnvalue as Result;
      if (state === "failed") throw new Failure(`${What} failed: ${job.failedReason}`);
      if (interrupted.aborted) throw new Interrupted(`Interrupted. The indexer continues with ${what}.`);
      await checkStall(show(progress, job));
      await pause(timing.commandLook);
    }
  } finally {
    progress.stop();
  }
}
