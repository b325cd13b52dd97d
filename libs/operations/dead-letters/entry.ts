import { readDeadLetter } from "./dead-letter.ts";
import { type FoundJob, createdAt } from "../queues/jobs.ts";

/** A dead letter: a write, a document or a whole job that the indexer could not process. */
export type DeadLetterEntry = {
  /** The id of a write or document, or `ingest/12` for a job. */
  id: string;
  /** `foreign`: a dead letter that Tranche did not write, or that can't be read. */
  kind: "write" | "document" | "job" | "foreign";
  /** `round rnd-7`, `signals of com-3`, `500 records`. */
  subject: string;
  reason: string;
  /** ISO time. */
  at: string;
  data: unknown;
};

/** Sorts entries without a time last. */
const UNKNOWN_TIME = new Date(0).toISOString();

/** The entry of a job in the queue of dead letters. */
export function entryOfDeadLetter(found: FoundJob): DeadLetterEntry {
  if ("unreadable" in found) return unreadable(found.id, "foreign", found.unreadable);
  const { id, job } = found;
  const deadLetter = readDeadLetter(job.data);
  const at = isoTime(createdAt(found));
  if (!deadLetter) {
    const reason = "Tranche did not write this dead letter. It can be discarded, but not retried.";
    return { id, kind: "foreign", subject: "unknown", reason, at, data: job.data };
  }
  const { what, reason } = deadLetter;
  return what.kind === "write"
    ? { id, kind: "write", subject: writeSubject(what.write), reason, at, data: what.write }
    : {
        id,
        kind: "document",
        subject: `document ${what.id} of ${what.model}`,
        reason,
        at,
        data: { model: what.model, id: what.id },
      };
}

/** The entry of a failed job. */
export function entryOfFailedJob(queue: string, found: FoundJob): DeadLetterEntry {
  const id = `${queue}/${found.id}`;
  if ("unreadable" in found) return unreadable(id, "job", found.unreadable);
  const { job } = found;
  const lists = Object.entries(Object(job.data) as object).flatMap(([name, list]) =>
    Array.isArray(list) && list.length > 0
      ? [`${list.length} ${list.length === 1 ? name.replace(/ies$/, "y").replace(/s$/, "") : name}`]
      : [],
  );
  return {
    id,
    kind: "job",
    subject: lists.join(", ") || job.name,
    reason: job.failedReason ?? "unknown",
    at: isoTime(job.finishedOn ?? createdAt(found)),
    data: job.data,
  };
}

function unreadable(id: string, kind: "foreign" | "job", why: string): DeadLetterEntry {
  return { id, kind, subject: "unknown", reason: `can't be read: ${why}`, at: UNKNOWN_TIME, data: null };
}

function writeSubject(write: unknown): string {
  const { type, id } = Object(write) as { type?: unknown; id?: unknown };
  return typeof type === "string" && typeof id === "string" ? `${type} ${id}` : "a record without type or id";
}

function isoTime(ms: number | null): string {
  const time = new Date(ms ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? UNKNOWN_TIME : time.toISOString();
}
