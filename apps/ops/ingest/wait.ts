import { setTimeout as pause } from "node:timers/promises";
import type { DeadLetter, DeriveJob, IngestJob } from "@tranche/shared/queue/queues";
import type { Queue } from "bullmq";
import { shownNumber } from "../terminal/numbers.ts";
import type { Progress } from "../terminal/progress.ts";

const LOOK_EVERY_MS = 250;
const STANDSTILL_MS = 10_000;
/** States that are asked for in one go. */
const STATES_AT_ONCE = 500;

export type WaitQueues = { ingest: Queue<IngestJob>; derive: Queue<DeriveJob>; deadLetters: Queue<DeadLetter> };

export type Waited = { failedJobs: { id: string; reason: string }[] };

/**
 * Waits until the jobs are done and the follow-up queue has drained: everything they wrote is searchable then. It waits without
 * end, and says what for when nothing moves. Follow-ups of other jobs are waited for, too: they can't be told apart.
 */
export async function waitUntilSearchable(
  queues: WaitQueues,
  jobIds: readonly string[],
  progress: Progress,
  interrupted: AbortSignal,
): Promise<Waited> {
  const failedJobs: Waited["failedJobs"] = [];
  let pending = [...jobIds];
  const standstill = watchStandstill(queues, progress);

  progress.begin("indexing", jobIds.length);
  while (pending.length > 0 && !interrupted.aborted) {
    const open: string[] = [];
    for (let from = 0; from < pending.length; from += STATES_AT_ONCE) {
      const ids = pending.slice(from, from + STATES_AT_ONCE);
      const states = await Promise.all(ids.map((id) => queues.ingest.getJobState(id)));
      for (const [index, id] of ids.entries()) {
        const state = states[index];
        if (state === "failed")
          failedJobs.push({ id, reason: (await queues.ingest.getJob(id))?.failedReason ?? "unknown" });
        // Done jobs are soon forgotten, failed ones are not: one that is not there any more is done.
        else if (state !== "completed" && state !== "unknown") open.push(id);
      }
    }
    pending = open;
    const done = jobIds.length - pending.length;
    progress.at(done, `${shownNumber(done)} of ${shownNumber(jobIds.length)} jobs done`);
    await standstill(`${done}`);
    if (pending.length > 0) await pause(LOOK_EVERY_MS);
  }

  let most = 0;
  while (!interrupted.aborted) {
    const left = await openJobs(queues.derive);
    if (left === 0) break;
    if (most < left) progress.begin("follow-ups", (most = left));
    progress.at(most - left, `${shownNumber(left)} follow-up jobs left`);
    await standstill(`follow-ups ${left}`);
    await pause(LOOK_EVERY_MS);
  }
  return { failedJobs };
}

/** Jobs of a queue that are still to be done. */
async function openJobs(queue: Queue): Promise<number> {
  const counts = await queue.getJobCounts("waiting", "active", "delayed", "prioritized", "waiting-children");
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Says what is waited for when `state` has not changed for a while; once for each standstill. */
export function watchStandstill(
  queues: Pick<WaitQueues, "ingest">,
  progress: Pick<Progress, "tell">,
): (state: string) => Promise<void> {
  let [last, since, told] = ["", Date.now(), false];
  return async (state) => {
    if (state !== last) [last, since, told] = [state, Date.now(), false];
    if (told || Date.now() - since < STANDSTILL_MS) return;
    told = true;
    const seconds = Math.round(STANDSTILL_MS / 1000);
    if (await queues.ingest.isPaused())
      return progress.tell("The ingest queue is paused: nothing is indexed until it is resumed.");
    const workers = await queues.ingest.getWorkersCount();
    progress.tell(
      workers === 0
        ? `No indexer has taken a job for ${seconds} s: is \`npm run indexer\` running? Waiting …`
        : `No job was done for ${seconds} s, though ${workers === 1 ? "an indexer is" : `${workers} indexers are`} connected: its log says why. Waiting …`,
    );
  };
}

/** The dead letters there are, by id. */
export async function deadLetterIds(queue: Queue<DeadLetter>): Promise<Set<string>> {
  return new Set(await queue.getRanges(["waiting"], 0, -1));
}
