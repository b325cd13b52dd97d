import { setTimeout as pause } from "node:timers/promises";
import type { Queue } from "bullmq";
import type { RecordWrite } from "../records/record.ts";
import { JOB_FORMATS } from "./formats.ts";
import { type IngestJob, JOB_OPTIONS, MAX_JOB_BYTES, MAX_JOB_RECORDS } from "./queues.ts";

/** A producer waits while this many jobs wait, so that Redis memory stays bounded. Delayed jobs wait for a newer indexer. */
const MAX_WAITING_JOBS = 400;

export type RecordEnqueuer = {
  /** Takes one write; waits when the queue is long. When it throws, the write is not taken, and those before it stay. */
  add(write: RecordWrite): Promise<void>;
  /** Enqueues what is left; everything added before is in the queue then. */
  flush(): Promise<void>;
  /** Jobs enqueued so far: their ids. */
  jobIds(): readonly string[];
  /** Writes that are not in the queue yet. */
  waiting(): number;
};

/** Packs record writes into bounded jobs, in the order in which they come. Once `hurried` is aborted, a long queue is not waited for. */
export function createEnqueuer(queue: Queue<IngestJob>, hurried?: AbortSignal): RecordEnqueuer {
  let batch: RecordWrite[] = [];
  let bytes = 0;
  const ids: string[] = [];

  const send = async () => {
    if (batch.length === 0) return;
    while (!hurried?.aborted && (await queue.getJobCountByTypes("waiting", "delayed")) >= MAX_WAITING_JOBS)
      await pause(200);
    const job = await queue.add("records", { format: JOB_FORMATS.ingest, records: batch }, JOB_OPTIONS);
    [batch, bytes] = [[], 0];
    ids.push(job.id!);
  };

  return {
    async add(write) {
      const size = Buffer.byteLength(JSON.stringify(write));
      if (batch.length >= MAX_JOB_RECORDS || (batch.length > 0 && bytes + size > MAX_JOB_BYTES)) await send();
      batch.push(write);
      bytes += size;
    },
    flush: send,
    jobIds: () => ids,
    waiting: () => batch.length,
  };
}
