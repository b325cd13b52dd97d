import type { Queue } from "bullmq";
import { type FoundJob, jobsIn, createdAt } from "../queues/jobs.ts";

export type Lag = {
  /** Age of the oldest job of ingest, follow-ups or investors that is not done; null when there is none. */
  oldest_job_seconds: number | null;
  /** How long the last jobs took from the queue to searchable; null when none was done lately. */
  searchable_after: { median_seconds: number; slowest_seconds: number; jobs: number } | null;
};

/** Jobs that are examined for `searchable_after`. */
const LAST_JOBS = 100;

/** How far what is searchable lags behind what was enqueued. `later`: the queues that ingest jobs add to. `now` in ms. */
export async function readLag(ingest: Queue, later: readonly Queue[], now: number): Promise<Lag> {
  // Jobs of a later version are delayed until an indexer takes them that knows them.
  const open = [ingest, ...later].flatMap((queue) =>
    (["waiting", "active", "delayed"] as const).map((state) => jobsIn(queue, state, 1, "oldest")),
  );
  const [oldest, done] = await Promise.all([Promise.all(open), jobsIn(ingest, "completed", LAST_JOBS, "newest")]);
  const made = oldest.flat().flatMap((found) => createdAt(found) ?? []);
  return {
    oldest_job_seconds: made.length === 0 ? null : Math.max(0, Math.round((now - Math.min(...made)) / 1000)),
    searchable_after: searchableAfter(done),
  };
}

function searchableAfter(done: readonly FoundJob[]): Lag["searchable_after"] {
  const took = done
    .flatMap((found) => {
      const made = createdAt(found);
      const finished = "job" in found ? found.job.finishedOn : undefined;
      return made === null || finished === undefined ? [] : [Math.max(0, finished - made)];
    })
    .toSorted((a, b) => a - b);
  if (took.length === 0) return null;
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  return {
    median_seconds: seconds(took[Math.floor(took.length / 2)]!),
    slowest_seconds: seconds(took.at(-1)!),
    jobs: took.length,
  };
}
