import { setTimeout as pause } from "node:timers/promises";
import { formatOf, JOB_FORMATS, type WorkedQueue } from "@tranche/shared/protocol/queue/formats";
import type { Logger } from "@tranche/shared/process/logger";
import type { Job } from "bullmq";
import { NewerJob, NewerVersion } from "../write/newer-version.ts";
import { requeue, type RequeuedJob } from "./requeue.ts";

/** A job of a newer format is retried after this time; a newer worker takes it then, if it is first. */
const NEWER_JOB_AGAIN_MS = 5000;
/** For this long after a job of a newer format, more of them are expected. */
const EXPECT_NEWER_MS = 2 * NEWER_JOB_AGAIN_MS;
/** A job in hand when the gate closes: the workers here have stopped by then. */
const IN_HAND_AGAIN_MS = 500;

/**
 * How often jobs check before they begin. The pipeline checks too, but only after it has stored records, which then stay invisible
 * until a newer indexer takes the job.
 */
const CHECK_EVERY_MS = 1000;

type Pausable = { pause: (doNotWaitActive?: boolean) => Promise<void>; resume: () => void };
type GatedJob = RequeuedJob & Pick<Job, "id" | "data">;

/** Keeps this process from work that only a later version can do. */
export type VersionGate = {
  /** Why this process takes no jobs now; undefined while it takes them. */
  closed: () => string | undefined;
  /** Whether jobs are left to a newer indexer: while the gate is closed, and for some seconds after one was left. */
  leavesJobs: () => boolean;
  /** Waits until this version may write to the indices. */
  untilOpen: () => Promise<void>;
  /** The workers that stop while the gate is closed. */
  holds: (workers: readonly Pausable[]) => void;
  /** Does the work of a job. Puts the job back, with a delay, when the gate is closed, its format is newer, or the work throws NewerVersion or NewerJob. */
  pass: <T>(queue: WorkedQueue, job: GatedJob, token: string | undefined, work: () => Promise<T>) => Promise<T>;
};

/** `check` throws NewerVersion while this version may not write. `lookEveryMs`: how often a closed gate is tried. */
export function createVersionGate(
  check: () => Promise<unknown>,
  log: Pick<Logger, "info" | "warn" | "error">,
  { lookEveryMs, formats = JOB_FORMATS }: { lookEveryMs: number; formats?: typeof JOB_FORMATS },
): VersionGate {
  let reason: string | undefined;
  let checkedAt = -Infinity;
  let leftAt = -Infinity;
  let opening: Promise<void> = Promise.resolve();
  let workers: readonly Pausable[] = [];

  const refusal = async (): Promise<string | undefined> => {
    try {
      await check();
      return undefined;
    } catch (error) {
      if (error instanceof NewerVersion) return error.message;
      throw error;
    }
  };
  const open = async () => {
    while (reason !== undefined) {
      await pause(lookEveryMs);
      try {
        reason = await refusal();
      } catch (error) {
        log.warn({ reason: (error as Error).message }, "the versions of the indices can't be read");
      }
    }
    for (const worker of workers) worker.resume();
    log.info("this version may write to the indices again: jobs are taken");
  };
  const close = (why: string) => {
    if (reason !== undefined) return;
    reason = why;
    log.error({ reason: why }, "this indexer takes no jobs; they wait for a newer one");
    for (const worker of workers) void worker.pause(true);
    opening = open();
  };

  const leave = (job: GatedJob, token: string | undefined) => {
    leftAt = performance.now();
    return requeue(job, token, spread(NEWER_JOB_AGAIN_MS));
  };

  return {
    closed: () => reason,
    leavesJobs: () => reason !== undefined || performance.now() - leftAt < EXPECT_NEWER_MS,
    async untilOpen() {
      const why = await refusal();
      if (why !== undefined) close(why);
      await opening;
    },
    holds(held) {
      workers = held;
      if (reason !== undefined) for (const worker of workers) void worker.pause(true);
    },
    async pass(queue, job, token, work) {
      if (reason === undefined && performance.now() - checkedAt > CHECK_EVERY_MS) {
        checkedAt = performance.now();
        const why = await refusal();
        if (why !== undefined) close(why);
      }
      if (reason !== undefined) return requeue(job, token, spread(IN_HAND_AGAIN_MS));
      const format = formatOf(job.data);
      if (format > formats[queue]) {
        log.warn(
          { queue, job: job.id, format, known: formats[queue] },
          "a job is of a later version's format and is left to a newer indexer",
        );
        return leave(job, token);
      }
      try {
        return await work();
      } catch (error) {
        if (error instanceof NewerJob) {
          log.warn({ queue, job: job.id, reason: error.message }, "a job is left to a newer indexer");
          return leave(job, token);
        }
        if (!(error instanceof NewerVersion)) throw error;
        close(error.message);
        return requeue(job, token, spread(IN_HAND_AGAIN_MS));
      }
    },
  };
}

/** A random delay, so that jobs that were put back together do not all return at once. */
const spread = (ms: number): number => ms * (1 + Math.random());
