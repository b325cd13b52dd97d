import { deriveInvestors } from "./derive-investors.ts";
import { deriveAllPending, type PassOptions } from "./pending-pass.ts";
import type { PipelineParts } from "./parts.ts";

/** High, because a large load adds the same investors again and again, so more passes meanwhile would mostly be in vain. */
const COURTESY = 9;

/** One pass over the pending investors. With fewer changed investors than a batch, the list is less than 5 s behind. */
export async function derivePendingInvestors(parts: PipelineParts, options: PassOptions): Promise<number> {
  const derive = (ids: readonly string[]) => deriveInvestors(parts, ids);
  return deriveAllPending([{ pending: parts.pendingInvestors, derive }], {
    ...options,
    courtesy: COURTESY,
    enqueue: parts.enqueueInvestors,
  });
}

/** Enqueues a pass if investors are pending: a failed job leaves them so. */
export async function resumeInvestors(parts: PipelineParts): Promise<void> {
  if ((await parts.pendingInvestors.count()) > 0) await parts.enqueueInvestors();
}
