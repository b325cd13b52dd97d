import { type IngestJob, JOB_OPTIONS, QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { Engines } from "../context/connect.ts";

/** Jobs may hold half a megabyte each. */
const AT_ONCE = 20;

/** The fate of record writes that were done after the backup. */
type DoneJobs = {
  /** Record writes that Redis still had, and that are in the queue again. */
  writes_requeued: number;
  /** Whether Redis had the jobs of all the time since the backup. */
  complete: boolean;
};

/**
 * Puts ingest jobs that were done since `takenAt` into the queue again, as far as Redis still has them: it keeps the last 1,000 for an
 * hour. Their writes have versions, so writing them twice changes nothing. Jobs that still wait in a live Redis need no help.
 */
export async function requeueDoneJobs(engines: Pick<Engines, "queue">, takenAt: string): Promise<DoneJobs> {
  const queue = engines.queue<IngestJob>(QUEUES.ingest);
  const since = Date.parse(takenAt);
  const result: DoneJobs = { writes_requeued: 0, complete: false };
  // The newest first. Read completely before anything is added, because new jobs may end meanwhile.
  const ids: string[] = [];
  for (let from = 0; ; from += AT_ONCE) {
    const page = await queue.getJobs(["completed"], from, from + AT_ONCE - 1, false);
    for (const job of page) {
      if ((job.finishedOn ?? 0) >= since) ids.push(job.id!);
      else result.complete = true;
    }
    if (page.length < AT_ONCE || result.complete) break;
  }
  for (const id of ids.toReversed()) {
    const job = await queue.getJob(id);
    if (!job) continue;
    await queue.add("records", job.data, JOB_OPTIONS);
    result.writes_requeued += job.data.records.length;
  }
  return result;
}
