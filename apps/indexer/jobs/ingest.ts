import type { DeadLetter } from "@tranche/shared/queue/queues";
import { parseRecord } from "@tranche/shared/records/parse";
import type { RecordWrite } from "@tranche/shared/records/record";
import { isoDay, dayOfTime } from "@tranche/shared/time/day";
import { storeRecords } from "../store/store.ts";
import { touchedBy, type Touched } from "../touch/touched.ts";
import { type Derivation, deriveDocuments } from "./derive.ts";
import type { JobParts } from "./parts.ts";

/** Documents in one follow-up job. */
const FOLLOW_UP_SIZE = 500;

export type Ingestion = { stored: number; superseded: number; buried: number; derived: Derivation };

/**
 * The record's way through the indexer: check, store, find what is touched, derive, publish. It may run twice on the same
 * records, also beside itself: versions and tickets make the result the same.
 */
export async function ingestRecords(parts: JobParts, writes: readonly RecordWrite[]): Promise<Ingestion> {
  const { good, letters } = checkWrites(parts, writes);
  const stored = await storeRecords(parts, good);
  letters.push(...stored.rejected.map(({ write, reason }) => writeLetter(write, reason)));
  await parts.bury(letters);
  if (stored.superseded > 0) parts.log.info({ superseded: stored.superseded }, "older writes than what is stored");
  const touched = await touchedBy({ ...parts, passOn: (more) => parts.enqueueDerive(inParts(more)) }, stored.accepted);
  const derived = await deriveDocuments(parts, touched);
  return { stored: stored.accepted.length, superseded: stored.superseded, buried: letters.length, derived };
}

/** The queue may hold what an older or a foreign producer wrote: each write is read again as if it came from outside. */
function checkWrites(parts: JobParts, writes: readonly RecordWrite[]): { good: RecordWrite[]; letters: DeadLetter[] } {
  const context = { dealTypes: parts.dealTypes, today: isoDay(dayOfTime(parts.now())) };
  const good: RecordWrite[] = [];
  const letters: DeadLetter[] = [];
  for (const write of writes) {
    const { type, id, version, body } = write;
    const outcome = parseRecord(
      body === null ? { type, op: "delete", id, version } : { ...body, type, id, version },
      context,
    );
    if (outcome.ok) good.push({ ...write, body: outcome.record.body } as RecordWrite);
    else
      letters.push(writeLetter(write, outcome.problems.map(({ field, reason }) => `${field}: ${reason}`).join("; ")));
  }
  return { good, letters };
}

function writeLetter(write: RecordWrite, reason: string): DeadLetter {
  return { what: { kind: "write", write }, reason };
}

/** Touched documents as the data of follow-up jobs. */
export function inParts({ rounds, companies }: Touched): { rounds: string[]; companies: string[] }[] {
  const jobs: { rounds: string[]; companies: string[] }[] = [];
  for (const part of chunks([...rounds])) jobs.push({ rounds: part, companies: [] });
  for (const part of chunks([...companies])) jobs.push({ rounds: [], companies: part });
  return jobs;
}

function chunks(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / FOLLOW_UP_SIZE) }, (_, i) =>
    ids.slice(i * FOLLOW_UP_SIZE, (i + 1) * FOLLOW_UP_SIZE),
  );
}
