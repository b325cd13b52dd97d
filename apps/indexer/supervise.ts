import type { PrivatePort } from "@tranche/http/server/private-port";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import type { Base } from "./base.ts";
import { createIndexerMetrics, type IndexerMetrics } from "./health/metrics.ts";
import { serveHealth } from "./health/port.ts";
import { createWatchdog, type Watchdog } from "./health/watchdog.ts";
import { createVersionGate, type VersionGate } from "./jobs/version-gate.ts";
import { countTakeable, createQueueOf } from "./pipeline/queues.ts";
import { createTargetVersions, type TargetVersions } from "./write/target-versions.ts";
import { askEngines } from "@tranche/operations/metrics/engine-answers";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";

/** The parts that look after the work of a process: whether it may begin, whether it makes progress, and the port that tells it. */
export type Supervision = {
  versions: TargetVersions;
  /** Closed while the indices are of a later version. */
  gate: VersionGate;
  metrics: IndexerMetrics;
  watchdog: Watchdog;
  /** The port for orchestrators and Prometheus; undefined where the settings have none. */
  health: PrivatePort | undefined;
};

/** Opens the port of the indexer, if it has one, and looks at the versions of the indices. */
export async function supervise(base: Base): Promise<Supervision> {
  const { settings, client, redis, names, namespace, access, log, timing } = base;
  const versions = createTargetVersions({ client, names, log });
  const gate = createVersionGate(async () => versions.admit(await readIndexRoles(client, names)), log, {
    lookEveryMs: timing.versionLook,
  });
  const isHeld = (): boolean => gate.closed() !== undefined;
  const metrics = createIndexerMetrics({ namespace, isHeld, leads: () => base.leader()?.leads() ?? false });
  const watchdog = watchProgress(base, isHeld);
  const { TRANCHE_INDEXER_PORT: port } = settings;
  const parts = { client, redis, names, namespace, queue: createQueueOf(access), watchdog, metrics, gate, log };
  const health = port === undefined ? undefined : await serveHealth(port, settings, parts);
  return { versions, gate, metrics, watchdog, health };
}

/** A watchdog over the work that never waits for another queue, and over jobs that this process has to take. */
function watchProgress(base: Base, isHeld: () => boolean): Watchdog {
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
