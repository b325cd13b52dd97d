import { setTimeout as pause } from "node:timers/promises";
import type { NotedDocuments } from "@tranche/shared/queue/noted-investors";
import { chunks } from "@tranche/shared/search/chunks";

/** Documents that are derived together: few enough that ingest jobs in the same process wait only a moment. */
const BATCH_SIZE = 500;
const MAX_PAUSE_MS = 3000;

/** Noted documents, and how to derive some of them. */
export type NotedList = { noted: NotedDocuments; derive: (ids: readonly string[]) => Promise<unknown> };

/** What a pass needs of the job that runs it. `isBusy`: whether ingest jobs wait. `until` ends the pass early. */
export type PassOptions = { isBusy: () => Promise<boolean>; until: AbortSignal };

/**
 * One pass over noted documents: derives them and forgets those that were not noted again meanwhile. Returns how many it derived. If
 * the pass is killed, the remaining ones are still noted, and the queue runs the job again.
 */
export async function deriveAllNoted(
  lists: readonly NotedList[],
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
  for (const { noted, derive } of lists) {
    for await (const page of noted.pages()) {
      for (const batch of chunks(page, BATCH_SIZE)) {
        if (until.aborted) {
          await enqueue();
          return derived;
        }
        const start = performance.now();
        await derive(batch.map(({ id }) => id));
        await noted.forget(batch);
        derived += batch.length;
        if (await isBusy()) await pause(Math.min(MAX_PAUSE_MS, (performance.now() - start) * courtesy));
      }
    }
  }
  return derived;
}
