import type { RedisClient } from "@tranche/shared/redis/connect";
import type { Job } from "bullmq";
import type { TrackJob } from "../health/track-jobs.ts";
import type { Upkeep } from "../jobs/upkeep.ts";
import type { VersionGate } from "../jobs/version-gate.ts";
import type { DayStore } from "../maintenance/clock-day.ts";
import type { PipelineParts } from "../pipeline/parts.ts";
import type { IndexerQueues } from "../queues.ts";
import type { RebuildParts } from "../rebuild/parts.ts";
import type { SliceStore } from "../slices/store.ts";
import type { WebhookParts } from "../webhooks/parts.ts";

/** A job whose worker was killed is taken again after about ten seconds, however often that happens. */
export const LOCKS = { lockDuration: 10_000, stalledInterval: 5000, maxStalledCount: 50 };

export type WorkerOptions = {
  connection: RedisClient;
  prefix: string;
  /** Ingest jobs that run at once. */
  concurrency: number;
  /** Ends a pass over due documents early, and puts back what waits for slices. */
  until: AbortSignal;
};

export type WorkerParts = {
  pipeline: PipelineParts;
  /** Tracks a job from its start, including its wait at the version gate, so that the process can report whether it makes progress. */
  track: TrackJob;
  /** Called with the seconds from the enqueueing of a job of records until it is searchable. */
  onSearchable: (seconds: number) => void;
  /** Leaves the work of later versions to them. */
  gate: VersionGate;
  queues: Pick<IndexerQueues, "ingest" | "copy">;
  /** The number of derivations that wait. */
  waiting: () => Promise<number>;
  days: DayStore;
  rebuild: Pick<RebuildParts, "rebuilds" | "layout" | "redis" | "namespace">;
  slices: SliceStore;
  upkeep: Upkeep;
  /** Undefined while webhooks are off. */
  webhooks: WebhookParts | undefined;
};

/** Whether a job was begun before, by somebody who may have died after it was written. */
export const isAgain = (job: Job): boolean => job.attemptsStarted > 1;
