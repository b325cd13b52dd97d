import { setTimeout as pause } from "node:timers/promises";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import { type IngestJob, JOB_OPTIONS, QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { QueueEvents } from "bullmq";
import { deletion } from "../support/writes.ts";
import type { DrillContext } from "./drill.ts";
import { type Installation, until } from "./installation.ts";
import { among, randomRound } from "./workload.ts";

const BATCH = 20;
const READS_A_SECOND = 50;

/** What is known of a round: the newest version whose job is done, negative when it deletes, and the newest deletion that was sent. */
export type Known = Map<string, { done: number; deleted: number }>;

/** Set `yes` to false to end the writes. */
export type Running = { yes: boolean };

/** Rounds that are there in their first version. */
export const knownRounds = (writes: readonly RecordWrite[]): Known =>
  new Map(writes.flatMap(({ type, id }) => (type === "round" ? [[id, { done: 1, deleted: 0 }] as const] : [])));

/** Writes versions of known rounds at a rate, with 15 % deletions, until the end. Returns them when all are done; the first is `version`. */
export async function keepWriting(
  { engines, random }: Pick<DrillContext, "engines" | "random">,
  { queues, service }: Installation,
  known: Known,
  running: Running,
  { writesASecond, records, version: first = 2 }: { writesASecond: number; records: number; version?: number },
): Promise<RecordWrite[]> {
  const rounds = [...known.keys()];
  const written: RecordWrite[] = [];
  const connection = createQueueConnection(engines.redis.url, "drill");
  const events = new QueueEvents(QUEUES.ingest, { connection, prefix: queuePrefix(service.namespace) });
  await events.waitUntilReady();
  const under = new Map<string, { version: number; batch: RecordWrite[] }>();
  events.on("completed", ({ jobId }) => {
    const job = under.get(jobId);
    if (!job) return;
    under.delete(jobId);
    for (const each of job.batch) {
      const now = known.get(each.id)!;
      if (Math.abs(now.done) < job.version) now.done = each.body ? job.version : -job.version;
    }
  });
  for (let version = first; running.yes; version++) {
    const ids = new Set(Array.from({ length: BATCH }, () => random.pick(rounds)));
    const batch = [...ids].map((id) =>
      random.chance(0.15) ? deletion(version, "round", id) : randomRound(random, version, id, among(records)),
    );
    for (const each of batch) if (!each.body) known.get(each.id)!.deleted = version;
    written.push(...batch);
    const jobId = `written-${version}`;
    under.set(jobId, { version, batch });
    await queues.queue<IngestJob>(QUEUES.ingest).add("records", { records: batch }, { ...JOB_OPTIONS, jobId });
    await pause((1000 * BATCH) / writesASecond);
  }
  await until("the last writes are done", 300_000, async () => under.size === 0);
  await events.close();
  connection.disconnect();
  return written;
}

export type Reads = { count: number; failed: string[]; wrong: string[] };

/**
 * Reads one round after another as readers do, and holds each answer against what was done before the question. `amountOf`: the amount
 * that is shown of a round, which is its version; undefined when it is not there.
 */
export async function keepReading(
  amountOf: (id: string) => Promise<number | undefined>,
  known: Known,
  running: Running,
  next: () => string,
): Promise<Reads> {
  const reads: Reads = { count: 0, failed: [], wrong: [] };
  const under = new Set<Promise<void>>();
  const read = async (id: string) => {
    const { done } = known.get(id)!;
    reads.count++;
    try {
      const shown = await amountOf(id);
      // Later versions may be under way, and be seen or not.
      const deleted = done < 0 || known.get(id)!.deleted > Math.abs(done);
      if (shown === undefined && !deleted) reads.wrong.push(`${id} is missing, version ${done} was done`);
      else if (shown !== undefined && shown < Math.abs(done)) {
        reads.wrong.push(`${id} shows version ${shown}, version ${done} was done`);
      }
    } catch (error) {
      reads.failed.push((error as Error).message);
    }
  };
  while (running.yes) {
    const one = read(next());
    under.add(one);
    void one.finally(() => under.delete(one));
    await pause(1000 / READS_A_SECOND);
  }
  await Promise.all(under);
  return reads;
}
