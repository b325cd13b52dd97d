import { setTimeout as sleep } from "node:timers/promises";
import type { JobType, Queue } from "bullmq";

/** States of a job that somebody works on, or has worked on and will again. */
const BEGUN: JobType[] = ["active", "delayed"];
const OPEN: JobType[] = [...BEGUN, "waiting", "prioritized"];
const LOOK_EVERY_MS = 200;

/** Queues of jobs that change documents. `begun`: only jobs that were begun may have changed records already; otherwise all count. */
export type ChangingQueues = readonly { queue: Pick<Queue, "getRanges">; begun: boolean }[];

/**
 * Waits until the jobs that are under way now have ended, or until a time (ms). Returns whether there were any. Those that begin meanwhile
 * are not waited for. `beat` is called while it waits.
 */
export async function untilJobsEnd(
  queues: ChangingQueues,
  until: number,
  beat: () => void = () => {},
): Promise<boolean> {
  const idsOf = ({ queue }: ChangingQueues[number], states: JobType[]) => queue.getRanges(states, 0, -1);
  const waited = await Promise.all(
    queues.map(async (each) => {
      const jobs = await idsOf(each, each.begun ? BEGUN : OPEN);
      for (let left = jobs; left.length > 0 && Date.now() < until;) {
        await sleep(LOOK_EVERY_MS);
        beat();
        const open = new Set(await idsOf(each, OPEN));
        left = left.filter((id) => open.has(id));
      }
      return jobs.length > 0;
    }),
  );
  return waited.includes(true);
}
