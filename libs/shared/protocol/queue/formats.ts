import type { QUEUES } from "./queues.ts";

/** The queues that have workers. */
export type WorkedQueue = Exclude<(typeof QUEUES)[keyof typeof QUEUES], "dead-letters">;

/**
 * The format of the jobs of each queue, noted in their data as `format`. Raise one when a worker of the version before would refuse,
 * misread or lose part of what this version enqueues: it then leaves these jobs to newer workers. Jobs without the note have format 1,
 * and every version reads the formats before its own.
 */
export const JOB_FORMATS: Readonly<Record<WorkedQueue, number>> = {
  /** 2: provenance. Also raised when records get a field or take more values. The test beside this file fails when that has to be checked. */
  ingest: 2,
  derive: 1,
  fanout: 1,
  investors: 1,
  due: 1,
  /** 2: deletions of sets. 3: their job has the name `delete-missing`. */
  upkeep: 3,
  rebuild: 1,
  copy: 1,
  verify: 1,
  explain: 1,
  webhooks: 1,
};

/** The format of a job's data, from any writer. */
export function formatOf(data: unknown): number {
  const format = (Object(data) as { format?: unknown }).format;
  return typeof format === "number" ? format : 1;
}
