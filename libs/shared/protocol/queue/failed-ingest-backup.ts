import type { Client } from "@elastic/elasticsearch";
import type { Job, Queue } from "bullmq";
import type { IndexNames } from "../../engines/search/index-names.ts";
import { createBackupDocuments } from "./backup-documents.ts";
import { type DeadLetter, type IngestJob, runOf } from "./queues.ts";

/** An ingest job that failed as a whole, as it is kept in Elasticsearch. */
type BackedUpJob = { kind: "failed-ingest"; id: string; job: string; reason: string; records: IngestJob["records"] };

/** The identity of a job: a Redis that lost its data counts ids from 1 again. */
type JobOfRun = Pick<Job<IngestJob>, "id" | "timestamp">;

/**
 * Ingest jobs that failed as a whole, in the control index. Redis keeps them until an operator retries or discards them; their records
 * may be nowhere else.
 */
export type FailedIngestBackup = {
  /** Rejects when Elasticsearch refuses it for good. */
  keep(job: JobOfRun & Pick<Job<IngestJob>, "data">, reason: string): Promise<void>;
  /** An operator has retried or discarded it. */
  forget(job: JobOfRun): Promise<void>;
  /**
   * Hands over the records of the jobs that Redis has lost, each as a dead letter of its own, and forgets the jobs. One whose records
   * can't be handed over is reported and stays.
   */
  restore(
    ingest: Queue<IngestJob>,
    handOver: (letters: DeadLetter[]) => Promise<void>,
    report: (error: Error) => void,
  ): Promise<void>;
};

/** A job has up to 512 KiB. */
const PAGE_SIZE = 20;

export function createFailedIngestBackup(client: Client, names: IndexNames): FailedIngestBackup {
  const kind = "failed-ingest";
  const options = { kind, what: "failed ingest jobs", pageSize: PAGE_SIZE } as const;
  const documents = createBackupDocuments<BackedUpJob>(client, names.control, options);
  return {
    keep: (job, reason) => documents.write([{ kind, id: runOf(job), job: job.id!, reason, records: job.data.records }]),
    forget: (job) => documents.remove(runOf(job)),
    async restore(ingest, handOver, report) {
      for await (const page of documents.readAll()) {
        for (const { id, job, reason, records } of page) {
          const found = await ingest.getJob(job);
          if (found && runOf(found) === id) continue;
          try {
            await handOver(records.map((write) => ({ what: { kind: "write", write }, reason })));
          } catch (cause) {
            const why = (cause as Error).message;
            report(
              new Error(`The records of ingest job ${job}, which had failed, can't be restored: ${why}`, { cause }),
            );
            continue;
          }
          await documents.remove(id);
        }
      }
    },
  };
}
