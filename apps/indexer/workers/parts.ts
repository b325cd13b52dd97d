import type { FailedIngestBackup } from "@tranche/shared/protocol/queue/failed-ingest-backup";
import type { QueueAccess } from "@tranche/shared/protocol/queue/access";
import type { TrackJob } from "../health/track-jobs.ts";
import type { HandlerParts } from "../jobs/handlers.ts";
import type { VersionGate } from "../jobs/version-gate.ts";
import type { WebhookParts } from "../webhooks/parts.ts";

/** A job whose worker was killed is taken again after about ten seconds, however often that happens. */
export const LOCKS = { lockDuration: 10_000, stalledInterval: 5000, maxStalledCount: 50 };

export type WorkerOptions = {
  access: QueueAccess;
  /** Ingest jobs that run at once. */
  concurrency: number;
  /** The process ends. */
  until: AbortSignal;
};

export type WorkerParts = Omit<HandlerParts, "until"> & {
  /** Tracks a job from its start, including its wait at the version gate, so that the process can report whether it makes progress. */
  track: TrackJob;
  /** Keeps ingest jobs that fail as a whole. */
  failedIngests: FailedIngestBackup;
  /** Called with the seconds from the enqueueing of a job of records until it is searchable. */
  onSearchable: (seconds: number) => void;
  /** Leaves the work of later versions to them. */
  gate: VersionGate;
  /** Undefined while webhooks are off. */
  webhooks: WebhookParts | undefined;
};
