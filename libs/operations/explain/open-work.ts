import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { createDeadLetterStore } from "../dead-letters/store.ts";
import type { Installation } from "../installation/installation.ts";
import { createdAt, jobsIn } from "../queues/jobs.ts";
import type { OpenWork } from "./facts.ts";

const MAX_DEAD_LETTERS = 1000;
/** Jobs of each queue and state whose data is read: each may have 512 KiB. */
const MAX_JOBS = 50;

/** The names of records (`round rnd-1`) and documents (`funding rnd-1`) that an explanation is about. */
export type Names = ReadonlySet<string>;

/** Reads what is open and names one of them: dead letters, and jobs of records and derivations. `now` in real ms. */
export async function readOpenWork(installation: Installation, names: Names, now: number): Promise<OpenWork> {
  const queues = [QUEUES.ingest, QUEUES.derive].map((name) => installation.queue(name));
  const [letters, counts, jobs] = await Promise.all([
    createDeadLetterStore(installation).list(MAX_DEAD_LETTERS),
    Promise.all(queues.map((queue) => queue.getJobCounts("waiting", "active"))),
    Promise.all(
      queues.flatMap((queue) =>
        (["waiting", "active"] as const).map((state) => jobsIn(queue, state, MAX_JOBS, "oldest")),
      ),
    ),
  ]);
  const found = jobs.flat();
  const made = found.flatMap((each) => createdAt(each) ?? []);
  const sum = (state: "waiting" | "active") => counts.reduce((total, each) => total + (each[state] ?? 0), 0);
  return {
    dead_letters: letters.entries
      .filter(({ data }) => isNamedIn(data, names))
      .map(({ id, subject, reason, at }) => ({ id, subject, reason, at })),
    jobs: {
      waiting: sum("waiting"),
      active: sum("active"),
      looked_at: found.length,
      naming: found.filter((each) => "job" in each && isNamedIn(each.job.data, names)).length,
      oldest_seconds: made.length === 0 ? null : Math.max(0, Math.round((now - Math.min(...made)) / 1000)),
    },
  };
}

const LISTS = { rounds: "round", companies: "company", investors: "investor" } as const;

/** Pure: whether a job, a record write or a document that failed names one of them. The data may have any shape. */
export function isNamedIn(data: unknown, names: Names): boolean {
  const { type, model, id, records, ...lists } = Object(data) as Record<string, unknown>;
  if (typeof id === "string") {
    if (typeof type === "string") return names.has(`${type} ${id}`);
    return READ_MODELS.some((each) => each === model) && names.has(`${String(model)} ${id}`);
  }
  if (Array.isArray(records) && records.some((record) => isNamedIn(record, names))) return true;
  return Object.entries(LISTS).some(([list, record]) => {
    const ids = lists[list];
    return Array.isArray(ids) && ids.some((each) => names.has(`${record} ${String(each)}`));
  });
}
