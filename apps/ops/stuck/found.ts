import type { Job, Queue } from "bullmq";

/** A job as it was found under its id. What somebody else put into Redis may not be one: then `unreadable` says why. */
export type Found = { id: string; job: Job } | { id: string; unreadable: string };

/** At most `limit` jobs of a state, the newest first or last. One by one: a job that can't be read does not hide the others. */
export async function jobsIn(
  queue: Queue,
  state: "waiting" | "active" | "failed" | "completed",
  limit: number,
  first: "newest" | "oldest",
): Promise<Found[]> {
  const ids = await queue.getRanges([state], 0, limit - 1, first === "oldest");
  return Promise.all(ids.map((id) => foundIn(queue, id)));
}

export async function foundIn(queue: Queue, id: string): Promise<Found> {
  try {
    const job = await queue.getJob(id);
    return job ? { id, job } : { id, unreadable: "its data is gone from Redis" };
  } catch (error) {
    // BullMQ parses what a job holds as JSON. Trouble with Redis itself does not come here: the connection waits for it.
    return { id, unreadable: (error as Error).message };
  }
}

/** When a job was made, in ms; null when it does not say. */
export function madeAt(found: Found): number | null {
  return "job" in found && Number.isFinite(found.job.timestamp) ? found.job.timestamp : null;
}
