import { ONE_AT_A_TIME } from "../pipeline/queues.ts";
import { JOB_OPTIONS, UPKEEP_JOBS } from "@tranche/shared/protocol/queue/queues";

/** How often due documents, interrupted rebuilds and finished ingest runs are looked for. */
const MAINTAIN_EVERY_MS = 30_000;
const PURGE_EVERY_MS = 6 * 3_600_000;

/** The part of a BullMQ queue that a schedule needs. */
type Schedulable = {
  upsertJobScheduler: (
    id: string,
    repeat: { every: number },
    template: { name: string; opts: typeof JOB_OPTIONS },
  ) => Promise<unknown>;
};

/** The part of a BullMQ queue that a limit needs. */
type Limitable = { setGlobalConcurrency: (jobs: number) => Promise<unknown> };

/** Writes the schedule to Redis. Safe to run again: it replaces the schedule that is there. */
export async function schedule(queues: {
  upkeep: Schedulable;
  due: Schedulable & Limitable;
  verify: Limitable;
}): Promise<void> {
  const plan = (queue: Schedulable, name: string, every: number) =>
    queue.upsertJobScheduler(name, { every }, { name, opts: JOB_OPTIONS });
  await plan(queues.upkeep, UPKEEP_JOBS.maintain, MAINTAIN_EVERY_MS);
  await plan(queues.upkeep, UPKEEP_JOBS.purge, PURGE_EVERY_MS);
  await plan(queues.due, "due", MAINTAIN_EVERY_MS);
  for (const one of ONE_AT_A_TIME) await queues[one].setGlobalConcurrency(1);
}
