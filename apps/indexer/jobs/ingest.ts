import type { DeadLetter } from "@tranche/shared/protocol/queue/queues";
import { parseRecord } from "@tranche/shared/domain/records/parse";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { shownProblems } from "@tranche/shared/domain/records/shown-problem";
import { isoDay, dayOfTime } from "@tranche/shared/domain/time/day";
import { z } from "zod";
import { deadLetterOfWrite } from "../pipeline/dead-letters.ts";
import type { DeriveOptions } from "../pipeline/derivation.ts";
import { deriveDocuments } from "../pipeline/derive-documents.ts";
import { addPendingFanout } from "../pipeline/fanout.ts";
import { followUps } from "../pipeline/follow-ups.ts";
import type { PipelineParts } from "../pipeline/parts.ts";
import type { Published } from "../pipeline/publish-batch.ts";
import { storeRecords } from "../write/store.ts";
import { affectedDocuments } from "../read/affected-documents.ts";

export type Ingestion = { stored: number; superseded: number; deadLettered: number; derived: Published };

/**
 * The life of a record in the indexer: check, store, find the affected documents, derive, publish. It is idempotent, also when it
 * runs twice at once on the same records: versions and tickets make the result the same. `since`: the time (ms) of the oldest job that
 * the writes are of; undefined: now. The jobs that follow from them are as old.
 */
export async function ingestRecords(
  parts: PipelineParts,
  writes: readonly RecordWrite[],
  { since, ...options }: DeriveOptions & { since?: number } = {},
): Promise<Ingestion> {
  const { good, deadLetters } = checkWrites(parts, writes);
  const stored = await storeRecords(parts, good);
  deadLetters.push(...stored.rejected.map(({ write, reason }) => deadLetterOfWrite(write, reason)));
  await parts.sendToDeadLetters(deadLetters);
  if (stored.superseded > 0) parts.log.info({ superseded: stored.superseded }, "writes older than the stored records");
  const affected = await affectedDocuments(
    {
      ...parts,
      passOn: (more) => parts.enqueueDerive(followUps(more), since),
      passToFanout: (many) => addPendingFanout(parts, many, since),
    },
    stored.accepted,
  );
  // Numbers only, so that the records are released before the documents fill the memory.
  const counts = { stored: stored.accepted.length, superseded: stored.superseded, deadLettered: deadLetters.length };
  return { ...counts, derived: await deriveDocuments(parts, affected, options) };
}

/** Checks each write again, because an older version or another program may have written it. */
function checkWrites(
  parts: PipelineParts,
  writes: readonly RecordWrite[],
): { good: RecordWrite[]; deadLetters: DeadLetter[] } {
  const context = { dealTypes: parts.dealTypes, today: isoDay(dayOfTime(parts.now())) };
  const good: RecordWrite[] = [];
  const deadLetters: DeadLetter[] = [];
  for (const write of writes) {
    const envelope = readEnvelope(write);
    if (!envelope.ok) {
      deadLetters.push(deadLetterOfWrite(write, envelope.reason));
      continue;
    }
    const { type, id, version, updated_at, from, body, merge } = write;
    const op = merge ? "merge" : body === null ? "delete" : "upsert";
    const outcome = parseRecord({ ...body, ...merge, op, type, id, version }, context);
    if (outcome.ok) {
      const content = outcome.record.merge ? { merge: outcome.record.merge } : { body: outcome.record.body };
      good.push({ type, id, version, updated_at, ...(from && { from }), ...content } as RecordWrite);
    } else deadLetters.push(deadLetterOfWrite(write, shownProblems(outcome.problems)));
  }
  return { good, deadLetters };
}

/** The fields of a write around the record; `parseRecord` checks the record. */
const ENVELOPE = z
  .object({
    id: z.string("expected a text"),
    version: z.int("expected a whole number").nonnegative("must not be negative"),
    updated_at: z.iso.datetime("expected a time such as 2025-03-14T08:00:00Z"),
    from: z
      .object({
        run: z.string("expected a text"),
        set: z.string("expected a text").optional(),
        file: z.int("expected a whole number").optional(),
        line: z.int("expected a whole number").optional(),
        element: z.int("expected a whole number").optional(),
      })
      .optional(),
    body: z.object({}, "expected an object, or null for a delete").nullish(),
    merge: z.object({}, "expected an object").optional(),
  })
  .refine((write) => (write.body === undefined) !== (write.merge === undefined), {
    path: ["body"],
    message: "expected an object, or null for a delete",
  });

function readEnvelope(write: unknown): { ok: true } | { ok: false; reason: string } {
  const read = ENVELOPE.safeParse(write);
  if (read.success) return { ok: true };
  return {
    ok: false,
    reason: shownProblems(read.error.issues.map(({ path, message }) => ({ field: path.join("."), reason: message }))),
  };
}
