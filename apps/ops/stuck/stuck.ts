import { createEnqueuer } from "@tranche/shared/queue/enqueue";
import { type DeadLetter, type DeriveJob, type IngestJob, JOB_OPTIONS, QUEUES } from "@tranche/shared/queue/queues";
import type { Job, Queue } from "bullmq";
import type { Engines } from "../engines/connect.ts";

/** Something that could not be done: a dead letter (a write or a document) or a whole job that failed. */
export type Stuck = {
  /** A dead letter's id, or `ingest/12` for a failed job. */
  id: string;
  kind: "write" | "document" | "job";
  /** What it is about: `round rnd-7`, `signals of com-3`, `500 records`. */
  subject: string;
  reason: string;
  /** ISO time. */
  at: string;
  data: unknown;
};

export type StuckStore = {
  /** The newest first, at most `limit`; `total` counts all. */
  list(limit: number): Promise<{ total: number; stuck: Stuck[] }>;
  find(id: string): Promise<Stuck | undefined>;
  /** Puts it back to be done again. False when it is not there any more. */
  retry(id: string): Promise<boolean>;
  /** Forgets it. False when it is not there any more. */
  discard(id: string): Promise<boolean>;
};

/** Queues whose jobs can fail as a whole. */
const WORKED = Object.values(QUEUES).filter((name) => name !== QUEUES.deadLetters);

export function createStuckStore(engines: Engines): StuckStore {
  const letters = engines.queue<DeadLetter>(QUEUES.deadLetters);
  const ingest = engines.queue<IngestJob>(QUEUES.ingest);
  const derive = engines.queue<DeriveJob>(QUEUES.derive);
  const worked = new Map<string, Queue>(WORKED.map((name) => [name, engines.queue(name)]));

  const letter = (id: string) => letters.getJob(id);
  const failedJob = async (id: string): Promise<Job | undefined> => {
    const [name, jobId] = id.split("/", 2);
    const job = jobId === undefined ? undefined : await worked.get(name!)?.getJob(jobId);
    return job && (await job.isFailed()) ? job : undefined;
  };

  return {
    async list(limit) {
      const counts = await Promise.all([
        letters.getWaitingCount(),
        ...[...worked.values()].map((queue) => queue.getFailedCount()),
      ]);
      const found = await Promise.all([
        letters.getJobs(["waiting"], 0, limit - 1, false).then((jobs) => jobs.map(ofLetter)),
        ...[...worked.values()].map(async (queue) => (await queue.getFailed(0, limit - 1)).map(ofJob)),
      ]);
      const newestFirst = found.flat().toSorted((a, b) => (a.at < b.at ? 1 : -1));
      return { total: counts.reduce((sum, count) => sum + count, 0), stuck: newestFirst.slice(0, limit) };
    },
    async find(id) {
      const [dead, failed] = await Promise.all([letter(id), failedJob(id)]);
      return dead ? ofLetter(dead) : failed && ofJob(failed);
    },
    async retry(id) {
      const dead = await letter(id);
      if (!dead) {
        const failed = await failedJob(id);
        await failed?.retry("failed");
        return failed !== undefined;
      }
      // First enqueued, then removed: what happens in between is done twice at worst, which changes nothing.
      const { what } = dead.data;
      if (what.kind === "write") {
        const enqueuer = createEnqueuer(ingest);
        await enqueuer.add(what.write);
        await enqueuer.flush();
      } else {
        const data = { rounds: [], companies: [], [what.model === "funding" ? "rounds" : "companies"]: [what.id] };
        await derive.add("documents", data, JOB_OPTIONS);
      }
      await dead.remove();
      return true;
    },
    async discard(id) {
      const job = (await letter(id)) ?? (await failedJob(id));
      await job?.remove();
      return job !== undefined;
    },
  };
}

function ofLetter(job: Job<DeadLetter>): Stuck {
  const { what, reason } = job.data;
  return {
    id: job.id!,
    kind: what.kind,
    // What was enqueued may be anything, nothing at all too.
    subject: what.kind === "write" ? `${what.write?.type} ${what.write?.id}` : `${what.model} of ${what.id}`,
    reason,
    at: new Date(job.timestamp).toISOString(),
    data: what.kind === "write" ? what.write : { model: what.model, id: what.id },
  };
}

function ofJob(job: Job): Stuck {
  const sizes = Object.entries(job.data as object).flatMap(([name, list]) =>
    Array.isArray(list) && list.length > 0 ? [`${list.length} ${name}`] : [],
  );
  return {
    id: `${job.queueName}/${job.id}`,
    kind: "job",
    subject: sizes.join(", ") || job.name,
    reason: job.failedReason ?? "unknown",
    at: new Date(job.finishedOn ?? job.timestamp).toISOString(),
    data: job.data,
  };
}
