import { setTimeout as pause } from "node:timers/promises";
import type { PendingDocuments } from "@tranche/shared/protocol/queue/pending-documents";
import { chunks } from "@tranche/shared/engines/search/chunks";

/** Documents that are derived together: few enough that ingest jobs in the same process wait only a moment. */
const BATCH_SIZE = 500;
/** After a full batch. A large load adds many. */
const MAX_LONG_PAUSE_MS = 30_000;
/** After one that is not full, so that few documents are never far behind. */
const MAX_SHORT_PAUSE_MS = 3000;
/** How often a pause looks whether ingest jobs still wait. */
const PAUSE_STEP_MS = 1000;

/** Pending documents, and how to derive some of them. */
export type PendingList = { pending: PendingDocuments; derive: (ids: readonly string[]) => Promise<unknown> };

/** The part of its job that a pass uses. `isBusy`: whether ingest jobs wait. `until` ends the pass early. */
export type PassOptions = { isBusy: () => Promise<boolean>; until: AbortSignal };

/**
 * One pass over pending documents: derives them and forgets those that were not added again meanwhile. Returns how many it derived. If
 * the pass is killed, the remaining ones are still pending, and the queue runs the job again.
 */
export async function deriveAllPending(
  lists: readonly PendingList[],
  {
    isBusy,
    until,
    courtesy,
    enqueue,
  }: PassOptions & {
    /** While ingest jobs wait, the pause after each batch is this many times the batch's duration. */
    courtesy: number;
    /** Enqueues the pass that derives the rest. */
    enqueue: () => Promise<void>;
  },
): Promise<number> {
  let derived = 0;
  for (const { pending, derive } of lists) {
    for await (const page of pending.pages()) {
      for (const batch of chunks(page, BATCH_SIZE)) {
        if (until.aborted) {
          await enqueue();
          return derived;
        }
        const start = performance.now();
        await derive(batch.map(({ id }) => id));
        await pending.forget(batch);
        derived += batch.length;
        const longest = batch.length < BATCH_SIZE ? MAX_SHORT_PAUSE_MS : MAX_LONG_PAUSE_MS;
        await rest(Math.min(longest, (performance.now() - start) * courtesy), { isBusy, until });
      }
    }
  }
  return derived;
}

/** Pauses for `ms`, and not after the last ingest job. */
async function rest(ms: number, { isBusy, until }: PassOptions): Promise<void> {
  for (let left = ms; left > 0 && !until.aborted && (await isBusy()); left -= PAUSE_STEP_MS) {
    await pause(Math.min(left, PAUSE_STEP_MS));
  }
}
