import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { oldestOpenWrite } from "@tranche/shared/protocol/queue/open-writes";
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

/** How far what is searchable lags behind what was enqueued. `now` in ms. */
export async function readLag(
  { redis, namespace, ingest }: { redis: RedisClient; namespace: string; ingest: Queue },
  now: number,
): Promise<Lag> {
  const [since, done] = await Promise.all([
    oldestOpenWrite(redis, namespace),
    jobsIn(ingest, "completed", LAST_JOBS, "newest"),
  ]);
  return {
    oldest_job_seconds: since === null ? null : Math.max(0, Math.round((now - since) / 1000)),
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
