import { DelayedError } from "bullmq";
import type { Activity } from "./activity.ts";
import type { IndexerMetrics } from "./metrics.ts";

/** Runs the work of a job, and lets activity and metrics know of it. A job that is put back counts when it has ended. */
export type TrackJob = <T>(queue: string, work: () => Promise<T>) => Promise<T>;

export function createTrackJob(activity: Activity, metrics: Pick<IndexerMetrics, "job">): TrackJob {
  return async (queue, work) => {
    const start = performance.now();
    const ended = (outcome: "completed" | "failed") => metrics.job(queue, outcome, (performance.now() - start) / 1000);
    try {
      const result = await activity.track(queue, work);
      ended("completed");
      return result;
    } catch (error) {
      if (!(error instanceof DelayedError)) ended("failed");
      throw error;
    }
  };
}
