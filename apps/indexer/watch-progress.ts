import { askEngines } from "@tranche/operations/metrics/engine-answers";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { Base } from "./base.ts";
import { countTakeable } from "./pipeline/queues.ts";
import { createWatchdog, type Watchdog } from "./health/watchdog.ts";

/** A watchdog over the work that never waits for another queue, and over jobs that this process has to take. */
export function watchProgress(base: Base, isHeld: () => boolean): Watchdog {
  const { client, redis, namespace, queues, activity, log, settings } = base;
  const stuckAfterMs = settings.TRANCHE_STUCK_AFTER_SECONDS * 1000;
  return createWatchdog({
    activity,
    // Upkeep may wait for the other queues.
    queues: Object.values(QUEUES).filter((queue) => queue !== QUEUES.upkeep),
    waiting: () =>
      countTakeable(queues, [
        "deadLetters",
        // While this indexer stands by, ingest jobs wait for the leader.
        ...(base.leader()?.standsBy() ? ["ingest" as const] : []),
        ...(settings.TRANCHE_WEBHOOK_KEY ? [] : ["webhooks" as const]),
      ]),
    enginesAnswer: async () =>
      Object.values(await askEngines({ client, redis, namespace })).every((took) => took !== undefined),
    isHeld,
    stuckAfterMs,
    exitAfterMs: stuckAfterMs / 5,
    exit: () => process.exit(1),
    log,
  });
}
