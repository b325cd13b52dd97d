import { setTimeout as sleep } from "node:timers/promises";
import type { JobType, Queue } from "bullmq";
import { LeftToOthers } from "../rebuild/share-out.ts";

/** States of a job that has started: it is active, or it waits to be tried again. */
const STARTED: JobType[] = ["active", "delayed"];
const OPEN: JobType[] = [...STARTED, "waiting", "prioritized"];

/** Queues of jobs that change documents. `onlyStarted`: ignore jobs that have not started, because they have changed nothing yet. */
type ChangingQueues = readonly { queue: Pick<Queue, "getRanges">; onlyStarted: boolean }[];

/**
 * Waits until the jobs now in progress have ended, for at most `withinMs`. Returns whether there were any. Calls `heartbeat` while it waits.
 * Throws LeftToOthers when `until` aborts.
 */
export async function untilJobsEnd(
  queues: ChangingQueues,
  { withinMs, lookEveryMs, until }: { withinMs: number; lookEveryMs: number; until: AbortSignal },
  heartbeat: () => void = () => {},
): Promise<boolean> {
  const end = Date.now() + withinMs;
  const idsOf = ({ queue }: ChangingQueues[number], states: JobType[]) => queue.getRanges(states, 0, -1);
  const waited = await Promise.all(
    queues.map(async (each) => {
      const jobs = await idsOf(each, each.onlyStarted ? STARTED : OPEN);
      for (let left = jobs; left.length > 0 && Date.now() < end;) {
        if (until.aborted) throw new LeftToOthers("the process shuts down");
        await sleep(lookEveryMs);
        heartbeat();
        const open = new Set(await idsOf(each, OPEN));
        left = left.filter((id) => open.has(id));
      }
      return jobs.length > 0;
    }),
  );
  return waited.includes(true);
}
