import type { Job } from "bullmq";
import type { RecordWrite } from "../../domain/records/record.ts";
import type { ReadModel } from "../../engines/search/index-names.ts";

/** Names of the queues; Redis keys of all of them are under one hash tag, so that a cluster keeps them together. */
export const QUEUES = {
  /** Record writes. */
  ingest: "ingest",
  /** Documents to derive that were too many for the job that stored their records. */
  derive: "derive",
  /** Passes over the documents that one change affects in great number, behind live traffic. */
  fanout: "fanout",
  /** Passes over the pending investors. */
  investors: "investors",
  /** Passes over the documents that time has changed, one at a time in the whole installation. */
  due: "due",
  /** Scheduled jobs, and the jobs after Redis has lost its data. */
  upkeep: "upkeep",
  rebuild: "rebuild",
  /** Slices of work that all indexers share: of a rebuild's copy, of a verification, of the derivation of everything. */
  copy: "copy",
  verify: "verify",
  /** One document to derive afresh for an operator who waits for it. */
  explain: "explain",
  /** Deliveries of webhooks, and single messages to them. */
  webhooks: "webhooks",
  /** Has no worker: its jobs wait for an operator. */
  deadLetters: "dead-letters",
} as const;

/** Names the work that a job asks for. Not by the id alone: a Redis that lost its data counts jobs from 1 again. */
export const runOf = ({ id, timestamp }: Pick<Job, "id" | "timestamp">): string => `${id}-${timestamp}`;

/** A bounded batch of record writes, as one enqueueing made it. */
export type IngestJob = { format?: number; records: RecordWrite[] };

/**
 * Documents to derive afresh: rounds, companies and investors by id. `again`: true where an earlier attempt may have written them without
 * announcing it, so they count as changed; false in a derivation of everything, whose equal documents are no change; missing in follow-ups.
 */
export type DeriveJob = {
  format?: number;
  rounds: string[];
  companies: string[];
  investors?: string[];
  again?: boolean;
};

/** Every document is derived afresh. `again`: as in the jobs that it makes. */
export type RederiveJob = { again: boolean };

/** A failed write or document, and why: a record write that is refused, or a document that can't be derived or written. */
export type DeadLetter = {
  what: { kind: "write"; write: RecordWrite } | { kind: "document"; model: ReadModel; id: string };
  reason: string;
};

/** A job holds at most this many records … */
export const MAX_JOB_RECORDS = 500;
/** … and at most this many bytes of JSON. */
export const MAX_JOB_BYTES = 512 * 1024;

/** Done jobs are forgotten soon; failed ones stay until an operator has seen them. */
export const JOB_OPTIONS = {
  removeOnComplete: { count: 1000, age: 3600 },
  removeOnFail: false,
  attempts: 1,
} as const;

/**
 * Names of the jobs in the upkeep queue. Redis keeps them, so a new or another value raises the format of upkeep jobs. `maintain`
 * and `purge` are scheduled; `rederive` is added when documents may be missing, `recover` when Redis may have lost its newest writes, and `deleteMissing` when a run of
 * a set lacks records that the set had.
 */
export const UPKEEP_JOBS = {
  maintain: "maintain",
  purge: "purge",
  rederive: "rederive",
  recover: "recover",
  deleteMissing: "delete-missing",
} as const;

/** The records of a set that this run of it did not have are deleted, once everything of the run is stored. */
export type DeleteMissingJob = { format?: number; set: string; run: string };

export type VerifyJob = { format?: number; repair: boolean };

/** A document to derive afresh, without writing it. */
export type ExplainJob = { model: ReadModel; id: string };

/** The command that added the job removes it; this removes jobs of a command that was killed. */
export const ASK_JOB_OPTIONS = {
  removeOnComplete: { count: 100, age: 600 },
  removeOnFail: { count: 100, age: 600 },
  attempts: 1,
} as const;

/** A slice of a work that indexers share: which work, which run of it, and the slice's number. */
export type SliceJob = { format?: number; work: string; run: string; slice: number };

/** A pass over the pending documents of large changes: at most one runs and one waits. */
export const FANOUT_JOB_OPTIONS = {
  ...JOB_OPTIONS,
  deduplication: { id: "fanout", keepLastIfActive: true },
} as const;

/** At most one rebuild job runs and one waits: one requested while another is ending is not forgotten. */
export const REBUILD_JOB_OPTIONS = {
  ...JOB_OPTIONS,
  deduplication: { id: "rebuild", keepLastIfActive: true },
} as const;

/**
 * A pass over the pending investors. Those added while one waits are part of it; those added while one runs get another one. The delay,
 * in ms, is how long changes are collected.
 */
export const INVESTORS_JOB_OPTIONS = {
  ...JOB_OPTIONS,
  deduplication: { id: "investors", keepLastIfActive: true },
} as const;

/**
 * Work for a webhook. `deliver` sends the changes that it has not got yet; `send` one message, for a caller that waits for the result.
 * Never a secret: workers read it.
 */
export type WebhookJob = {
  format?: number;
  webhook: string;
  purpose?: "challenge" | "test" | "resend";
  delivery?: string;
};

/** A webhook has at most one job that delivers and one that waits for it. */
export const deliverJobOptions = (webhook: string) => ({
  removeOnComplete: true,
  removeOnFail: { count: 100, age: 86_400 },
  attempts: 1,
  deduplication: { id: `deliver:${webhook}`, keepLastIfActive: true },
});
