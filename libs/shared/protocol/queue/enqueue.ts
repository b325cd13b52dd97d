import { setTimeout as pause } from "node:timers/promises";
import type { Queue } from "bullmq";
import type { Provenance, RecordWrite } from "../../domain/records/record.ts";
import { JOB_FORMATS } from "./formats.ts";
import type { JobLedger, JobRange } from "./job-ledger.ts";
import { type IngestJob, JOB_OPTIONS, MAX_JOB_BYTES, MAX_JOB_RECORDS } from "./queues.ts";

/** A producer waits while this many jobs wait, so that Redis memory stays bounded. Delayed jobs wait for a newer indexer. */
export const MAX_WAITING_JOBS = 400;

/** The file, and lines or array elements (from 1), of a write. */
export type Origin = { file: string; lines?: JobRange; elements?: JobRange };

/** The run whose jobs are enqueued. */
export type EnqueuedRun = {
  ledger: JobLedger;
  /** The origin that its records keep. */
  provenanceOf(origin: Origin): Provenance;
  /** A job is in the queue; `origins` are those of its writes. */
  enqueued(number: number, origins: readonly Origin[]): void;
  /** Redis lost these jobs, which it had acknowledged. */
  lost(jobs: JobRange): Promise<void>;
};

export type RecordEnqueuer = {
  /** Takes one write; waits when the queue is long. When it throws, the write is not taken, and those before it stay. */
  add(write: RecordWrite, origin?: Origin): Promise<void>;
  /** Enqueues what is left. Resolves when everything added before is in the queue. */
  flush(): Promise<void>;
  /** Jobs enqueued so far: their ids. */
  jobIds(): readonly string[];
  /** Writes that are not in the queue yet. */
  waiting(): number;
};

/**
 * Packs record writes into bounded jobs, in the order in which they come. After `hurried` aborts, it no longer waits for a long queue.
 * It awaits `acknowledged` after each job.
 */
export function createEnqueuer(
  queue: Queue<IngestJob>,
  {
    hurried,
    run,
    acknowledged,
  }: { hurried?: AbortSignal; run?: EnqueuedRun; acknowledged?: (() => Promise<void>) | undefined } = {},
): RecordEnqueuer {
  let batch: RecordWrite[] = [];
  let origins: Origin[] = [];
  let bytes = 0;
  const ids: string[] = [];

  const send = async () => {
    if (batch.length === 0) return;
    while (!hurried?.aborted && (await queue.getJobCountByTypes("waiting", "delayed")) >= MAX_WAITING_JOBS)
      await pause(200);
    const number = ids.length + 1;
    const options = run ? { ...JOB_OPTIONS, jobId: run.ledger.idOf(number) } : JOB_OPTIONS;
    const job = await queue.add("records", { format: JOB_FORMATS.ingest, records: batch }, options);
    ids.push(job.id!);
    run?.enqueued(number, origins);
    [batch, origins, bytes] = [[], [], 0];
    const lost = await run?.ledger.mark(number);
    if (run && lost) {
      await run.lost(lost);
      await run.ledger.restart(number);
    }
    await acknowledged?.();
  };

  return {
    async add(content, origin) {
      const write = run && origin ? { ...content, from: run.provenanceOf(origin) } : content;
      const size = Buffer.byteLength(JSON.stringify(write));
      if (batch.length >= MAX_JOB_RECORDS || (batch.length > 0 && bytes + size > MAX_JOB_BYTES)) await send();
      batch.push(write);
      if (origin) origins.push(origin);
      bytes += size;
    },
    flush: send,
    jobIds: () => ids,
    waiting: () => batch.length,
  };
}
