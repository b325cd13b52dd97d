import { setTimeout as pause } from "node:timers/promises";
import { EXPLAIN_JOB_OPTIONS, type ExplainJob, QUEUES } from "@tranche/shared/queue/queues";
import type { Installation } from "../installation/installation.ts";
import type { Derivation, DerivedDocument } from "./facts.ts";

const LOOK_EVERY_MS = 50;

/**
 * Has an indexer derive a document afresh, with its own rules. Waits `withinMs` for the result: an installation whose indexers do not
 * run is explained without.
 */
export async function askForDerivation(
  installation: Installation,
  data: ExplainJob,
  withinMs: number,
): Promise<Derivation> {
  const queue = installation.queue<ExplainJob>(QUEUES.explain);
  if ((await queue.getWorkersCount()) === 0) {
    return { unavailable: "no indexer is connected that could derive it (start one with `npm run indexer`)" };
  }
  const { id } = await queue.add("explain", data, EXPLAIN_JOB_OPTIONS);
  const end = performance.now() + withinMs;
  try {
    while (performance.now() < end) {
      // The state is read first, so the result of an ended job is present when the job is read.
      const state = await queue.getJobState(id!);
      const job = state === "completed" || state === "failed" ? await queue.getJob(id!) : undefined;
      if (state === "completed" && job) return { derived: job.returnvalue as DerivedDocument[] };
      if (state === "failed" && job) return { unavailable: `an indexer could not derive it: ${job.failedReason}` };
      await pause(LOOK_EVERY_MS);
    }
    return { unavailable: `no indexer derived it within ${withinMs / 1000} s` };
  } finally {
    // One that runs is locked and stays until it ends.
    await queue.remove(id!).catch(() => {});
  }
}
