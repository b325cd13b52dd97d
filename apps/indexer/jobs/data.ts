import { type Job, UnrecoverableError } from "bullmq";
import type { ExplainJob, DeleteMissingJob, SliceJob, VerifyJob } from "@tranche/shared/protocol/queue/queues";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { z } from "zod";

/** Each record is checked later by itself: one that can't be read becomes a dead letter and does not stop the others. */
const INGEST = z.object({ records: z.array(z.unknown(), "expected a list") });
const DERIVE = z.object({
  rounds: z.array(z.string(), "expected a list"),
  companies: z.array(z.string(), "expected a list"),
  investors: z.array(z.string(), "expected a list").default([]),
  again: z.boolean("expected true or false").optional(),
});
const SLICE = z.object({ format: z.int().optional(), work: z.string(), run: z.string(), slice: z.int().min(0) });
const VERIFY = z.object({ repair: z.boolean("expected true or false") });
const DELETE_MISSING = z.object({ set: z.string("expected a text"), run: z.string("expected a text") });
const EXPLAIN = z.object({ model: z.enum(READ_MODELS), id: z.string("expected a text") });

const DELIVER = z.object({ webhook: z.string("expected a text") });
const SEND = DELIVER.extend({ purpose: z.enum(["challenge", "test", "resend"]), delivery: z.string().optional() });

/** The record writes of a job, unchecked: `ingestRecords` checks each. */
export const recordsOf = (job: Job): RecordWrite[] => dataOf(job, INGEST).records as RecordWrite[];
/** Whether a job has record writes at all. */
export const hasRecords = (job: Job): boolean => INGEST.safeParse(job.data).success;
/** The documents that a job derives. */
export const documentsOf = (job: Job): z.output<typeof DERIVE> => dataOf(job, DERIVE);
/** Whether a comparison repairs. */
export const verifyOf = (job: Job): VerifyJob => dataOf(job, VERIFY);
/** The set whose missing records are deleted, and the run of it that lacks them. */
export const deleteMissingOf = (job: Pick<Job, "name" | "data">): DeleteMissingJob => dataOf(job, DELETE_MISSING);
/** The document that a job derives for an operator. */
export const explainOf = (job: Job): ExplainJob => dataOf(job, EXPLAIN);

/** The webhook that a job delivers to. */
export const deliverOf = (job: Job): z.output<typeof DELIVER> => dataOf(job, DELIVER);
/** The message that a job sends. */
export const sendOf = (job: Job): z.output<typeof SEND> => dataOf(job, SEND);

/** The slice that a job does. */
export const sliceOf = (job: Job): SliceJob => dataOf(job, SLICE);

/** Whether a job was begun before, by somebody who may have died after it was written. */
export const isAgain = (job: Job): boolean => job.attemptsStarted > 1;

/** Fails a job with a name that its queue does not know, because it would run as another job. */
export function assertNamed<Name extends string>(job: Pick<Job, "name">, ...names: readonly Name[]): Name {
  const name = names.find((each) => each === job.name);
  if (name === undefined) throw foreign(job, `its name is none of ${names.join(", ")}`);
  return name;
}

/** A job that another program put into the queue fails with a reason before any work is done, and is not tried again. */
function dataOf<T>(job: Pick<Job, "name" | "data">, schema: z.ZodType<T>): T {
  const read = schema.safeParse(job.data);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => [...path, message].join(": "));
  throw foreign(job, problems.join("; "));
}

function foreign(job: Pick<Job, "name">, problem: string): UnrecoverableError {
  return new UnrecoverableError(`Tranche did not write this job '${job.name}': ${problem}`);
}
