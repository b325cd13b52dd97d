import { setTimeout as pause } from "node:timers/promises";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import type { DeadLetter, DeriveJob, IngestJob } from "@tranche/shared/protocol/queue/queues";
import type { Queue } from "bullmq";
import { shownNumber } from "@tranche/shared/domain/text/numbers";
import { entryOfDeadLetter } from "@tranche/operations/dead-letters/entry";
import { findJob } from "@tranche/operations/queues/jobs";
import type { Listener } from "../reading/read.ts";
import { watchForStall } from "@tranche/operations/queues/stall";

/** States that are asked for in one go. */
const STATES_AT_ONCE = 500;

type WaitQueues = {
  ingest: Queue<IngestJob>;
  derive: Queue<DeriveJob>;
  fanout: Queue;
  investors: Queue;
  deadLetters: Queue<DeadLetter>;
};

/** How a command waits. `thenUntil`: what else has to be done between the jobs and their follow-ups. */
type Waiting = {
  progress: Listener;
  interrupted: AbortSignal;
  lookEveryMs: number;
  thenUntil?: () => Promise<void>;
};

/** `lost`: numbers of jobs (the first is 1) that Redis had acknowledged and no longer knows. */
type Waited = { failedJobs: { id: string; reason: string }[]; lost: number[] };

/**
 * Waits until the jobs are done, then until the queues of follow-ups and of investors have drained: everything they wrote is searchable
 * then, and investors are counted. It waits without a time limit, and reports why when nothing moves. It waits for the follow-ups of
 * other jobs as well, which look the same. `marked`: the last job that Redis has marked. A job that Redis does not know is done if it
 * is marked after that was seen; otherwise Redis lost it.
 */
export async function waitUntilSearchable(
  queues: WaitQueues,
  jobIds: readonly string[],
  marked: () => Promise<number>,
  waiting: Waiting,
): Promise<Waited> {
  const { progress, interrupted, lookEveryMs } = waiting;
  const failedJobs: Waited["failedJobs"] = [];
  const lost: number[] = [];
  const numbers = new Map(jobIds.map((id, index) => [id, index + 1]));
  let pending = [...jobIds];
  const checkStall = watchForStall(queues.ingest, progress.warn);

  progress.begin("indexing", jobIds.length, "jobs");
  while (pending.length > 0 && !interrupted.aborted) {
    const open: string[] = [];
    const unknown: string[] = [];
    for (let from = 0; from < pending.length; from += STATES_AT_ONCE) {
      const ids = pending.slice(from, from + STATES_AT_ONCE);
      const states = await Promise.all(ids.map((id) => queues.ingest.getJobState(id)));
      for (const [index, id] of ids.entries()) {
        const state = states[index];
        if (state === "failed")
          failedJobs.push({ id, reason: (await queues.ingest.getJob(id))?.failedReason ?? "unknown" });
        // Done jobs are soon forgotten, failed ones are not.
        else if (state === "unknown") unknown.push(id);
        else if (state !== "completed") open.push(id);
      }
    }
    if (unknown.length > 0) {
      const last = await marked();
      lost.push(...unknown.map((id) => numbers.get(id)!).filter((number) => number > last));
    }
    pending = open;
    const done = jobIds.length - pending.length;
    progress.at(done);
    await checkStall(`${done}`);
    if (pending.length > 0) await pause(lookEveryMs);
  }

  await waiting.thenUntil?.();
  // In this order: a follow-up notes investors before it is done.
  await drain(queues.derive, "follow-ups", waiting);
  await drain(queues.fanout, "large changes", waiting);
  await drain(queues.investors, "investors", waiting);
  return { failedJobs, lost };
}

async function drain(queue: Queue, stage: string, { progress, interrupted, lookEveryMs }: Waiting): Promise<void> {
  let most = 0;
  const checkStall = watchForStall(queue, progress.warn);
  while (!interrupted.aborted) {
    const jobs = await openJobs(queue);
    if (jobs === 0) break;
    if (most < jobs) progress.begin(stage, (most = jobs));
    progress.at(most - jobs, `${shownNumber(jobs)} ${jobs === 1 ? "job" : "jobs"} left`);
    await checkStall(String(jobs));
    await pause(lookEveryMs);
  }
}

/** Jobs of a queue that are still to be done. */
async function openJobs(queue: Queue): Promise<number> {
  const counts = await queue.getJobCounts("waiting", "active", "delayed", "prioritized", "waiting-children");
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The dead letters there are, by id. */
export async function deadLetterIds(queue: Queue<DeadLetter>): Promise<Set<string>> {
  return new Set(await queue.getRanges(["waiting"], 0, -1));
}

/** How many dead letters of Tranche there are besides those of `before` and the writes of other runs. */
export async function deadLettersSince(
  queue: Queue<DeadLetter>,
  before: ReadonlySet<string>,
  run: string,
): Promise<number> {
  const fresh = [...(await deadLetterIds(queue))].filter((id) => !before.has(id));
  const isOurs = async (id: string) => {
    const { kind, data } = entryOfDeadLetter(await findJob(queue, id));
    const { from } = Object(data) as Partial<RecordWrite>;
    return kind !== "foreign" && (from === undefined || from.run === run);
  };
  return (await Promise.all(fresh.map(isOurs))).filter(Boolean).length;
}
