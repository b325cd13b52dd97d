import { REGISTRY } from "@tranche/read-models/documents/registry";
import { createEnqueuer } from "@tranche/shared/protocol/queue/enqueue";
import { JOB_FORMATS } from "@tranche/shared/protocol/queue/formats";
import { createDeadLetterBackup } from "@tranche/shared/protocol/queue/dead-letter-backup";
import { createFailedIngestBackup } from "@tranche/shared/protocol/queue/failed-ingest-backup";
import { readDeadLetter } from "./dead-letter.ts";
import { queuePrefix } from "@tranche/shared/engines/redis/queue-prefix";
import {
  type DeadLetter,
  type DeriveJob,
  type IngestJob,
  JOB_OPTIONS,
  QUEUES,
} from "@tranche/shared/protocol/queue/queues";
import type { Queue } from "bullmq";
import type { Installation } from "../installation/installation.ts";
import { entryOfFailedJob, entryOfDeadLetter, type DeadLetterEntry } from "./entry.ts";
import { findJob, jobsIn } from "../queues/jobs.ts";
import { replicaWait } from "../queues/replicas.ts";

/** `missing`: it no longer exists; `foreign`: Tranche did not write it and cannot requeue it. */
export type Outcome = "done" | "missing" | "foreign";

export type DeadLetterStore = {
  /** At most `limit` entries, newest first; `total` counts all. */
  list(limit: number): Promise<{ total: number; entries: DeadLetterEntry[] }>;
  find(id: string): Promise<DeadLetterEntry | undefined>;
  /** Requeues it. */
  retry(id: string): Promise<Outcome>;
  /** Deletes it for good. */
  discard(id: string): Promise<Outcome>;
};

/** Queues whose jobs can fail as a whole. */
const WORKED = Object.values(QUEUES).filter((name) => name !== QUEUES.deadLetters);

const NO_DOCUMENTS: DeriveJob = { format: JOB_FORMATS.derive, rounds: [], companies: [] };

export function createDeadLetterStore(installation: Installation): DeadLetterStore {
  const deadLetters = installation.queue<DeadLetter>(QUEUES.deadLetters);
  const ingest = installation.queue<IngestJob>(QUEUES.ingest);
  const backup = createDeadLetterBackup(installation.client, installation.names);
  const failedIngests = createFailedIngestBackup(installation.client, installation.names);
  const derive = installation.queue<DeriveJob>(QUEUES.derive);
  const worked = new Map<string, Queue>(WORKED.map((name) => [name, installation.queue(name)]));

  const { TRANCHE_NAMESPACE: namespace, TRANCHE_REDIS_REPLICAS_TO_WAIT: replicas } = installation.settings;
  const replicasHaveIt = replicaWait(installation.redis, queuePrefix(namespace), replicas);

  /** A failed job by its entry's id. A queue's name has no slash; a job's id may have one. */
  const failedJob = async (id: string) => {
    const slash = id.indexOf("/");
    const queue = worked.get(id.slice(0, slash));
    const jobId = id.slice(slash + 1);
    if (slash < 0 || !queue || (await queue.getJobState(jobId)) !== "failed") return undefined;
    return { queue, found: await findJob(queue, jobId) };
  };
  const deadLetter = async (id: string) =>
    (await deadLetters.getJobState(id)) === "unknown" ? undefined : findJob(deadLetters, id);

  return {
    async list(limit) {
      const counts = await Promise.all([
        deadLetters.getWaitingCount(),
        ...[...worked.values()].map((queue) => queue.getFailedCount()),
      ]);
      const found = await Promise.all([
        jobsIn(deadLetters, "waiting", limit, "newest").then((jobs) => jobs.map(entryOfDeadLetter)),
        ...[...worked].map(async ([name, queue]) =>
          (await jobsIn(queue, "failed", limit, "newest")).map((job) => entryOfFailedJob(name, job)),
        ),
      ]);
      const newestFirst = found.flat().toSorted((a, b) => (a.at < b.at ? 1 : -1));
      return { total: counts.reduce((sum, count) => sum + count, 0), entries: newestFirst.slice(0, limit) };
    },
    async find(id) {
      const [dead, failed] = await Promise.all([deadLetter(id), failedJob(id)]);
      return dead ? entryOfDeadLetter(dead) : failed && entryOfFailedJob(failed.queue.name, failed.found);
    },
    async retry(id) {
      const dead = await deadLetter(id);
      if (!dead) {
        const failed = await failedJob(id);
        if (!failed) return "missing";
        if ("unreadable" in failed.found) return "foreign";
        await failed.found.job.retry("failed");
        return "done";
      }
      const read = "job" in dead ? readDeadLetter(dead.job.data) : undefined;
      if (!read) return "foreign";
      // Enqueued first, then removed: a crash in between makes the work run twice, which changes nothing.
      const { what } = read;
      if (what.kind === "write") {
        const enqueuer = createEnqueuer(ingest, { acknowledged: replicasHaveIt });
        await enqueuer.add(what.write);
        await enqueuer.flush();
      } else {
        await derive.add("documents", { ...NO_DOCUMENTS, [REGISTRY[what.model].documents]: [what.id] }, JOB_OPTIONS);
        await replicasHaveIt?.();
      }
      await backup.forget(id);
      await deadLetters.remove(id);
      return "done";
    },
    async discard(id) {
      if (await deadLetter(id)) {
        await backup.forget(id);
        return (await deadLetters.remove(id)) === 1 ? "done" : "missing";
      }
      const failed = await failedJob(id);
      if (!failed) return "missing";
      if (failed.queue.name === QUEUES.ingest && "job" in failed.found) await failedIngests.forget(failed.found.job);
      return (await failed.queue.remove(failed.found.id)) === 1 ? "done" : "missing";
    },
  };
}
