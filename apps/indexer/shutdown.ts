import type { Logger } from "@tranche/shared/process/logger";
import { withTimeLimit } from "@tranche/shared/process/time-limit";

/** A worker that takes longer leaves its job to the next worker, which gets the job when the lock expires. */
const CLOSE_WITHIN_MS = 20_000;

/** Engines that do not answer must not hold up the end. */
const NOTE_WITHIN_MS = 5000;

/**
 * The graceful shutdown. Ends the pass over due documents first, because a worker closes only when its job has ended. Then closes all workers and waits
 * at most 20 s for them. `worker.close` takes no new jobs and waits for running ones. When nothing is under way any more, the process notes
 * that it has ended in order. A restart of Redis after that then counts as no loss.
 */
export async function shutDown(
  reason: string,
  parts: {
    ending: AbortController;
    workers: readonly { close: () => Promise<void> }[];
    tickets: { end: () => Promise<void> };
    log: Pick<Logger, "info" | "warn">;
  },
): Promise<void> {
  parts.ending.abort();
  parts.log.info({ reason }, "closing");
  try {
    await withTimeLimit(Promise.all(parts.workers.map((worker) => worker.close())), CLOSE_WITHIN_MS);
  } catch (error) {
    parts.log.warn({ reason: (error as Error).message }, "a worker did not end in time");
    return;
  }
  await withTimeLimit(parts.tickets.end(), NOTE_WITHIN_MS).catch((error: Error) =>
    parts.log.warn(
      { reason: error.message },
      "the end could not be noted: a Redis that restarts counts as one that may have lost its newest writes",
    ),
  );
}
