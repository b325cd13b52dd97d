import type { Logger } from "@tranche/shared/log/logger";
import { withTimeLimit } from "@tranche/shared/process/time-limit";

/** A worker that takes longer leaves its job to the next worker, which gets the job when the lock expires. */
const CLOSE_WITHIN_MS = 20_000;

/**
 * Ends the pass over due documents first, because a worker closes only when its job has ended. Then closes all workers and waits
 * at most 20 s for them. `worker.close` takes no new jobs and waits for running ones.
 */
export async function shutDown(
  reason: string,
  parts: {
    ending: AbortController;
    workers: readonly { close: () => Promise<void> }[];
    log: Pick<Logger, "info" | "warn">;
  },
): Promise<void> {
  parts.ending.abort();
  parts.log.info({ reason }, "closing");
  await withTimeLimit(Promise.all(parts.workers.map((worker) => worker.close())), CLOSE_WITHIN_MS).catch(
    (error: Error) => parts.log.warn({ reason: error.message }, "a worker did not end in time"),
  );
}
