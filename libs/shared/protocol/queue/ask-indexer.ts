import { setTimeout as pause } from "node:timers/promises";
import type { Queue } from "bullmq";
import { ASK_JOB_OPTIONS } from "./queues.ts";

const LOOK_EVERY_MS = 50;

/** The reply of an indexer, or the reason why there is none. */
type IndexerReply<Result> = { result: Result } | { unavailable: string };

/** Has an indexer do a job and waits `withinMs` for the result. The job is removed in any case. */
export async function askIndexer<Data, Result>(
  queue: Queue<Data>,
  name: string,
  data: Data,
  withinMs: number,
): Promise<IndexerReply<Result>> {
  const jobs = queue as Queue;
  if ((await jobs.getWorkersCount()) === 0) {
    return { unavailable: "no indexer is connected that could do it (start one with `npm run indexer`)" };
  }
  const { id } = await jobs.add(name, data, ASK_JOB_OPTIONS);
  const end = performance.now() + withinMs;
  try {
    while (performance.now() < end) {
      // The state is read first, so the result of an ended job is present when the job is read.
      const state = await jobs.getJobState(id!);
      const job = state === "completed" || state === "failed" ? await jobs.getJob(id!) : undefined;
      if (state === "completed" && job) return { result: job.returnvalue as Result };
      if (state === "failed" && job) return { unavailable: `an indexer could not do it: ${job.failedReason}` };
      await pause(LOOK_EVERY_MS);
    }
    return { unavailable: `no indexer did it within ${withinMs / 1000} s` };
  } finally {
    // One that runs is locked and stays until it ends.
    await jobs.remove(id!).catch(() => {});
  }
}
