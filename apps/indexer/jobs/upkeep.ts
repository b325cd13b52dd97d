import { type DeleteMissingJob, runOf, UPKEEP_JOBS } from "@tranche/shared/protocol/queue/queues";
import type { Job } from "bullmq";
import type { Upkeep } from "../upkeep/create-upkeep.ts";
import { assertNamed, deleteMissingOf } from "./data.ts";

/** Runs the job of the upkeep queue by its name, and fails one whose name is unknown. */
export async function upkeep(
  job: Pick<Job, "id" | "timestamp" | "name" | "data">,
  work: Upkeep & { deleteMissing: (job: DeleteMissingJob) => Promise<unknown> },
): Promise<unknown> {
  const name = assertNamed(job, ...Object.values(UPKEEP_JOBS));
  if (name === UPKEEP_JOBS.maintain) return work.maintain();
  if (name === UPKEEP_JOBS.purge) return work.purge();
  if (name === UPKEEP_JOBS.recover) return work.recover();
  if (name === UPKEEP_JOBS.deleteMissing) return work.deleteMissing(deleteMissingOf(job));
  // A Redis that lost its data has lost the schedule with it.
  await work.schedule();
  return work.rederive({ run: runOf(job), again: Object(job.data).again === true });
}
