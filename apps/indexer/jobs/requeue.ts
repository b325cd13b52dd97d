import { DelayedError, type Job } from "bullmq";

export type RequeuedJob = Pick<Job, "moveToDelayed">;

/** Ends a job's turn: any worker may take it again after `ms`. Always throws, as BullMQ wants it. */
export async function requeue(job: RequeuedJob, token: string | undefined, afterMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + afterMs, token);
  throw new DelayedError();
}
