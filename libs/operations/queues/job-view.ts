import { withoutKeys } from "@tranche/shared/accounts/without-keys";
import { dataText } from "./data-text.ts";
import { createdAt, type FoundJob } from "./jobs.ts";

export const JOB_STATES = ["waiting", "active", "delayed", "failed"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A job as operators see it. Null where there is nothing, or where another program wrote something unreadable. */
type JobView = {
  id: string;
  name: string | null;
  /** ISO time at which it failed or was started; of other jobs, at which it was created. */
  at: string | null;
  attempts: number | null;
  /** Why it failed, or why it can't be read. */
  reason: string | null;
  data: string | null;
};

const MAX_REASON = 1000;

export function jobView(state: JobState, found: FoundJob): JobView {
  const { id } = found;
  if ("unreadable" in found) {
    // What the parser says quotes the data.
    const why = withoutKeys(found.unreadable);
    return { id, name: null, at: null, attempts: null, reason: `It can't be read: ${why}`, data: null };
  }
  const { job } = found;
  return {
    id,
    name: withoutKeys(job.name),
    at: isoTime((state === "failed" && job.finishedOn) || (state === "active" && job.processedOn) || createdAt(found)),
    attempts: job.attemptsMade,
    reason: job.failedReason ? withoutKeys(job.failedReason).slice(0, MAX_REASON) : null,
    data: dataText(job.data),
  };
}

function isoTime(ms: number | null): string | null {
  const time = new Date(ms ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
