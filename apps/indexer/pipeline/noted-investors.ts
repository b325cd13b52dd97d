import { deriveInvestors } from "./derive-investors.ts";
import { deriveAllNoted, type PassOptions } from "./noted-pass.ts";
import type { PipelineParts } from "./parts.ts";

/** High, because a large load notes the same investors again and again, so more passes meanwhile would mostly be in vain. */
const COURTESY = 9;

/** One pass over the noted investors. With fewer changed investors than a batch, the list is less than 5 s behind. */
export async function deriveNotedInvestors(parts: PipelineParts, options: PassOptions): Promise<number> {
  const derive = (ids: readonly string[]) => deriveInvestors(parts, ids);
  return deriveAllNoted([{ noted: parts.noted, derive }], {
    ...options,
    courtesy: COURTESY,
    enqueue: parts.enqueueInvestors,
  });
}

/** Enqueues a pass if investors are noted: a failed job leaves them noted. */
export async function resumeInvestors(parts: PipelineParts): Promise<void> {
  if ((await parts.noted.count()) > 0) await parts.enqueueInvestors();
}
