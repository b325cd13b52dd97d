import type { Job, Queue } from "bullmq";

/** The job with an id. Data that another program wrote to Redis may not be a job: then `unreadable` has the reason. */
export type FoundJob = { id: string; job: Job } | { id: string; unreadable: string };

/**
 * At most `limit` jobs in a state, ordered by `first`, without the first `after`. Read one by one, so that an unreadable job does not
 * hide the others.
 */
export async function jobsIn(
  queue: Queue,
  state: "waiting" | "active" | "delayed" | "failed" | "completed",
  limit: number,
  first: "newest" | "oldest",
  after = 0,
): Promise<FoundJob[]> {
  const ids = await queue.getRanges([state], after, after + limit - 1, first === "oldest");
  return Promise.all(ids.map((id) => findJob(queue, id)));
}

export async function findJob(queue: Queue, id: string): Promise<FoundJob> {
  try {
    const job = await queue.getJob(id);
    return job ? { id, job } : { id, unreadable: "its data is gone from Redis" };
  } catch (error) {
    // BullMQ could not parse the job's JSON. Failures of Redis do not arrive here: the connection waits until Redis is back.
    return { id, unreadable: (error as Error).message };
  }
}

/** When a job was created, in ms; null if the job has no valid time. */
export function createdAt(found: FoundJob): number | null {
  return "job" in found && Number.isFinite(found.job.timestamp) ? found.job.timestamp : null;
}
