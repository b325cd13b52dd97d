import { readFileSync } from "node:fs";
import type { RedisClient } from "../../engines/redis/connect.ts";
import { queuePrefix } from "../../engines/redis/queue-prefix.ts";
import { openSinceKey } from "./open-writes.ts";
import { QUEUES } from "./queues.ts";

const SCRIPT = readFileSync(new URL("./mark-job.lua", import.meta.url), "utf8");
/** After the last job of a run, Redis forgets its mark. */
export const KEEP_MARKS_SECONDS = 30 * 86_400;

/** Numbers of jobs of a run, from 1: the first and the last. */
export type JobRange = readonly [first: number, last: number];

/**
 * Proves that Redis still has what it acknowledged. The jobs of a run are numbered, and their ids are used once. After each job, Redis
 * marks its number. A Redis that went back lost its newest writes, so whatever it still has marked was there, with all jobs before it.
 */
export type JobLedger = {
  idOf(number: number): string;
  /** Marks a job that Redis has acknowledged. Returns the jobs of the run that Redis lost since, this one perhaps among them. */
  mark(number: number): Promise<JobRange | undefined>;
  /** Begins the marks again after this job, when a loss has been reported. */
  restart(number: number): Promise<void>;
  /** The last job that Redis has marked; 0 when it has none. */
  marked(): Promise<number>;
};

type LedgerRedis = RedisClient & {
  markJob(
    ...keysAndArguments: [mark: string, job: string, open: string, number: number, seconds: number, now: number]
  ): Promise<[mark: number, there: 0 | 1]>;
};

const markKey = (namespace: string, run: string) => `{${namespace}}:ingest-run:${run}`;

export function createJobLedger(connection: RedisClient, namespace: string, run: string): JobLedger {
  connection.defineCommand("markJob", { numberOfKeys: 3, lua: SCRIPT });
  const redis = connection as LedgerRedis;
  const key = markKey(namespace, run);
  const idOf = (number: number) => `${run}-${number}`;
  return {
    idOf,
    async mark(number) {
      const job = `${queuePrefix(namespace)}:${QUEUES.ingest}:${idOf(number)}`;
      const open = openSinceKey(namespace);
      const [mark, there] = await redis.markJob(key, job, open, number, KEEP_MARKS_SECONDS, Date.now());
      return mark >= number ? undefined : [mark + 1, there ? number - 1 : number];
    },
    restart: async (number) => void (await redis.set(key, number, "EX", KEEP_MARKS_SECONDS)),
    marked: async () => Number(await redis.get(key)),
  };
}

/** The last marked job of each run, 0 for a run without a mark. */
export function markedJobs(redis: RedisClient, namespace: string, runs: readonly string[]): Promise<number[]> {
  return Promise.all(runs.map(async (run) => Number(await redis.get(markKey(namespace, run)))));
}
