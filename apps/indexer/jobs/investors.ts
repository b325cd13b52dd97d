import { setTimeout as pause } from "node:timers/promises";
import { chunks } from "@tranche/shared/search/chunks";
import { deriveInvestors } from "../pipeline/derive-investors.ts";
import type { PipelineParts } from "../pipeline/parts.ts";

/** Investors that are derived together. */
const BATCH_SIZE = 500;
/**
 * While ingest jobs wait, the pause after each batch is this many times the batch's duration. A large load notes the same investors again
 * and again, so more passes meanwhile would mostly be in vain.
 */
const COURTESY = 9;
/** With fewer changed investors than a batch, the list is less than 5 s behind. */
const MAX_PAUSE_MS = 3000;

/**
 * One pass over the noted investors: derives them and forgets those that were not noted again meanwhile. Returns how many it derived. If
 * the pass is killed, the remaining ones are still noted, and the queue runs the job again.
 */
export async function deriveNoted(
  parts: PipelineParts,
  options: { isBusy: () => Promise<boolean>; until: AbortSignal },
): Promise<number> {
  let derived = 0;
  for await (const page of parts.noted.pages()) {
    for (const batch of chunks(page, BATCH_SIZE)) {
      if (options.until.aborted) {
        await parts.enqueueInvestors();
        return derived;
      }
      const start = performance.now();
      await deriveInvestors(
        parts,
        batch.map(({ id }) => id),
      );
      await parts.noted.forget(batch);
      derived += batch.length;
      if (await options.isBusy()) await pause(Math.min(MAX_PAUSE_MS, (performance.now() - start) * COURTESY));
    }
  }
  return derived;
}

/** Enqueues a pass if investors are noted: a failed job leaves them noted. */
export async function resumeInvestors(parts: PipelineParts): Promise<void> {
  if ((await parts.noted.count()) > 0) await parts.enqueueInvestors();
}
