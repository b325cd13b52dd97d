import { setTimeout as pause } from "node:timers/promises";
import { closeQueues } from "@tranche/shared/protocol/queue/close-queues";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { type DeadLetter, type IngestJob, JOB_OPTIONS, QUEUES } from "@tranche/shared/protocol/queue/queues";
import { createPendingInvestors } from "@tranche/shared/protocol/queue/pending-documents";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { Queue } from "bullmq";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";

const OPEN = ["waiting", "active", "delayed", "prioritized", "waiting-children"] as const;
/** In this order: a job enqueues what follows from it before it is done. */
const RECORDS_WAY = [QUEUES.ingest, QUEUES.derive, QUEUES.fanout];
const LOOK_EVERY_MS = 50;
const JOBS_AT_ONCE = 20;

/** The queues of one installation, as a producer and as an observer. */
export type Queues = {
  redis: RedisClient;
  queue<T>(name: string): Queue<T>;
  /** Enqueues the writes as they are, `size` in a job. */
  send(writes: readonly RecordWrite[], size?: number): Promise<void>;
  /** Jobs that are still to be done: of the record's way, or of these queues. */
  open(names?: readonly string[]): Promise<number>;
  /** Waits until there are none, and returns after how many ms. */
  settled(withinMs?: number): Promise<number>;
  /** Waits likewise until no investor is pending and no pass over them waits or runs: their documents are derived then. */
  investorsSettled(withinMs?: number): Promise<void>;
  /** Does the work while no maintenance runs, which deletes indices that have no role. */
  withoutUpkeep<T>(work: () => Promise<T>): Promise<T>;
  letters(): Promise<DeadLetter[]>;
  /** Jobs that failed as a whole, of all queues, with their reasons. */
  failedJobs(): Promise<string[]>;
  close(): Promise<void>;
};

export function openQueues(redisUrl: string, namespace: string): Queues {
  const redis = createQueueConnection(redisUrl, "tests");
  redis.on("error", () => {});
  const opened = new Map<string, Queue>();
  const queue = <T>(name: string): Queue<T> => {
    let found = opened.get(name);
    if (!found) {
      found = new Queue(name, { connection: redis, prefix: queuePrefix(namespace) });
      found.on("error", () => {});
      opened.set(name, found);
    }
    return found as Queue<T>;
  };
  const open = async (names: readonly string[] = RECORDS_WAY) => {
    let sum = 0;
    for (const name of names) {
      const counts = await queue(name).getJobCounts(...OPEN);
      sum += Object.values(counts).reduce((total, count) => total + count, 0);
    }
    return sum;
  };
  const pending = createPendingInvestors(redis, namespace);
  const settled = async (withinMs = 60_000) => {
    const start = Date.now();
    while ((await open()) > 0) {
      if (Date.now() - start > withinMs) throw new Error(`${await open()} jobs are not done after ${withinMs} ms`);
      await pause(LOOK_EVERY_MS);
    }
    return Date.now() - start;
  };
  return {
    redis,
    queue,
    async send(writes, size = 500) {
      const jobs = [];
      for (let from = 0; from < writes.length; from += size) {
        jobs.push({ name: "records", data: { records: writes.slice(from, from + size) }, opts: JOB_OPTIONS });
      }
      while (jobs.length > 0) await queue<IngestJob>(QUEUES.ingest).addBulk(jobs.splice(0, JOBS_AT_ONCE));
    },
    open,
    settled,
    async investorsSettled(withinMs = 60_000) {
      await settled(withinMs);
      const end = Date.now() + withinMs;
      for (;;) {
        const waiting = (await open([QUEUES.investors])) + (await pending.count());
        if (waiting === 0) return;
        if (Date.now() > end) throw new Error(`${waiting} passes and investors are not done after ${withinMs} ms`);
        await pause(LOOK_EVERY_MS);
      }
    },
    async withoutUpkeep(work) {
      const upkeep = queue(QUEUES.upkeep);
      await upkeep.pause();
      try {
        while ((await upkeep.getActiveCount()) > 0) await pause(LOOK_EVERY_MS);
        return await work();
      } finally {
        await upkeep.resume();
      }
    },
    letters: async () => (await queue<DeadLetter>(QUEUES.deadLetters).getJobs(["waiting"])).map((job) => job.data),
    async failedJobs() {
      const names = Object.values(QUEUES);
      const failed = await Promise.all(names.map((name) => queue(name).getFailed(0, 100)));
      return failed.flat().map((job) => `${job.queueName}/${job.id}: ${job.failedReason}`);
    },
    async close() {
      await closeQueues(opened.values());
      redis.disconnect();
    },
  };
}
