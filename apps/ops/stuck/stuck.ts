import { createEnqueuer } from "@tranche/shared/queue/enqueue";
import { readLetter } from "@tranche/shared/queue/letter";
import { type DeadLetter, type DeriveJob, type IngestJob, JOB_OPTIONS, QUEUES } from "@tranche/shared/queue/queues";
import type { Queue } from "bullmq";
import type { Engines } from "../engines/connect.ts";
import { ofJob, ofLetter, type Stuck } from "./entry.ts";
import { foundIn, jobsIn } from "./found.ts";

/** `missing`: it is not there any more; `foreign`: Tranche did not write it, so it does not know how to do it again. */
export type Outcome = "done" | "missing" | "foreign";

export type StuckStore = {
  /** The newest first, at most `limit`; `total` counts all. */
  list(limit: number): Promise<{ total: number; stuck: Stuck[] }>;
  find(id: string): Promise<Stuck | undefined>;
  /** Puts it back to be done again. */
  retry(id: string): Promise<Outcome>;
  /** Removes it for good. */
  discard(id: string): Promise<Outcome>;
};

/** Queues whose jobs can fail as a whole. */
const WORKED = Object.values(QUEUES).filter((name) => name !== QUEUES.deadLetters);

export function createStuckStore(engines: Engines): StuckStore {
  const letters = engines.queue<DeadLetter>(QUEUES.deadLetters);
  const ingest = engines.queue<IngestJob>(QUEUES.ingest);
  const derive = engines.queue<DeriveJob>(QUEUES.derive);
  const worked = new Map<string, Queue>(WORKED.map((name) => [name, engines.queue(name)]));

  /** A failed job by the id that `ofJob` gives it: the queue's name has no slash, a job's id may. */
  const failedJob = async (id: string) => {
    const slash = id.indexOf("/");
    const queue = worked.get(id.slice(0, slash));
    const jobId = id.slice(slash + 1);
    if (slash < 0 || !queue || (await queue.getJobState(jobId)) !== "failed") return undefined;
    return { queue, found: await foundIn(queue, jobId) };
  };
  const letter = async (id: string) =>
    (await letters.getJobState(id)) === "unknown" ? undefined : foundIn(letters, id);

  return {
    async list(limit) {
      const counts = await Promise.all([
        letters.getWaitingCount(),
        ...[...worked.values()].map((queue) => queue.getFailedCount()),
      ]);
      const found = await Promise.all([
        jobsIn(letters, "waiting", limit, "newest").then((jobs) => jobs.map(ofLetter)),
        ...[...worked].map(async ([name, queue]) =>
          (await jobsIn(queue, "failed", limit, "newest")).map((job) => ofJob(name, job)),
        ),
      ]);
      const newestFirst = found.flat().toSorted((a, b) => (a.at < b.at ? 1 : -1));
      return { total: counts.reduce((sum, count) => sum + count, 0), stuck: newestFirst.slice(0, limit) };
    },
    async find(id) {
      const [dead, failed] = await Promise.all([letter(id), failedJob(id)]);
      return dead ? ofLetter(dead) : failed && ofJob(failed.queue.name, failed.found);
    },
    async retry(id) {
      const dead = await letter(id);
      if (!dead) {
        const failed = await failedJob(id);
        if (!failed) return "missing";
        if ("unreadable" in failed.found) return "foreign";
        await failed.found.job.retry("failed");
        return "done";
      }
      const read = "job" in dead ? readLetter(dead.job.data) : undefined;
      if (!read) return "foreign";
      // First enqueued, then removed: what happens in between is done twice at worst, which changes nothing.
      const { what } = read;
      if (what.kind === "write") {
        const enqueuer = createEnqueuer(ingest);
        await enqueuer.add(what.write);
        await enqueuer.flush();
      } else {
        const data = { rounds: [], companies: [], [what.model === "funding" ? "rounds" : "companies"]: [what.id] };
        await derive.add("documents", data, JOB_OPTIONS);
      }
      await letters.remove(id);
      return "done";
    },
    async discard(id) {
      if (await letter(id)) return (await letters.remove(id)) === 1 ? "done" : "missing";
      const failed = await failedJob(id);
      return failed && (await failed.queue.remove(failed.found.id)) === 1 ? "done" : "missing";
    },
  };
}
