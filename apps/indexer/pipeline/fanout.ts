import { chunks } from "@tranche/shared/search/chunks";
import { setTimeout as pause } from "node:timers/promises";
import type { DocumentIds } from "../affected/affected-documents.ts";
import { deriveDocuments } from "./derive-documents.ts";
import { only } from "./pages.ts";
import type { PipelineParts } from "./parts.ts";

/** Documents of a batch: few enough that ingest jobs in the same process wait only a moment. */
const BATCH_SIZE = 500;
/** While ingest jobs wait, the pause after each batch is this many times the batch's duration. */
const COURTESY = 2;
const MAX_PAUSE_MS = 3000;

/** Notes documents that one change affects in great number. They are derived once, however often they are noted until then. */
export async function noteFanout(parts: PipelineParts, { rounds, companies }: DocumentIds): Promise<void> {
  const ticket = await parts.tickets.take();
  await parts.notedFanout.rounds.add(ticket, rounds);
  await parts.notedFanout.companies.add(ticket, companies);
  // After they are noted: a pass that begins before may miss them.
  await parts.enqueueFanout();
}

/**
 * One pass over the noted rounds and companies: derives them and forgets those that were not noted again meanwhile. Returns how many it
 * derived. If the pass is killed, the remaining ones are still noted, and the queue runs the job again.
 */
export async function deriveFanout(
  parts: PipelineParts,
  options: { isBusy: () => Promise<boolean>; until: AbortSignal; again: boolean },
): Promise<number> {
  let derived = 0;
  for (const [kind, model] of [
    ["rounds", "funding"],
    ["companies", "signals"],
  ] as const) {
    const noted = parts.notedFanout[kind];
    for await (const page of noted.pages()) {
      for (const batch of chunks(page, BATCH_SIZE)) {
        if (options.until.aborted) {
          await parts.enqueueFanout();
          return derived;
        }
        const start = performance.now();
        const ids = batch.map(({ id }) => id);
        await deriveDocuments(parts, only(model, ids), options);
        await noted.forget(batch);
        derived += batch.length;
        if (await options.isBusy()) await pause(Math.min(MAX_PAUSE_MS, (performance.now() - start) * COURTESY));
      }
    }
  }
  return derived;
}

/** Enqueues a pass if documents are noted: a failed job leaves them noted. */
export async function resumeFanout(parts: PipelineParts): Promise<void> {
  const counts = await Promise.all([parts.notedFanout.rounds.count(), parts.notedFanout.companies.count()]);
  if (counts.some((count) => count > 0)) await parts.enqueueFanout();
}
