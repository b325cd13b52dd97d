import type { IngestRun } from "@tranche/shared/runs/ingest-runs";
import { describe, expect, test } from "vitest";
import { areEmpty, closeRuns } from "./close-runs.ts";

const run = (id: string, enqueued_at: string | null): IngestRun => ({
  kind: "ingest-run",
  id,
  files: ["a.ndjson"],
  started_at: "2025-03-14T08:00:00Z",
  enqueued_at,
  enqueued: 1,
  open: true,
});
const ENQUEUED = run("enqueued", "2025-03-14T08:01:00Z");
const ENQUEUEING = run("enqueueing", null);

/** Notes what is looked at, and what is closed. */
async function stepsOf(runs: IngestRun[], { empty = true, lost = false } = {}): Promise<string[]> {
  const steps: string[] = [];
  await closeRuns({
    runs: {
      open: async () => {
        steps.push("runs");
        return runs;
      },
      close: async (closed) => void steps.push(...closed.map(({ id }) => `close ${id}`)),
    },
    areQueuesEmpty: async () => {
      steps.push("queues");
      return empty;
    },
    isRedisLost: async () => {
      steps.push("clock");
      return lost;
    },
  });
  return steps;
}

describe("closeRuns", () => {
  test("closes runs that enqueued everything, after it has seen empty queues and then the clock", async () => {
    expect(await stepsOf([ENQUEUED, ENQUEUEING])).toEqual(["runs", "queues", "clock", "close enqueued"]);
  });

  test("leaves a run that still enqueues", async () => {
    expect(await stepsOf([ENQUEUEING])).toEqual(["runs"]);
  });

  test("closes nothing while a job is left", async () => {
    expect(await stepsOf([ENQUEUED], { empty: false })).toEqual(["runs", "queues"]);
  });

  test("closes nothing when Redis lost its data", async () => {
    expect(await stepsOf([ENQUEUED], { lost: true })).toEqual(["runs", "queues", "clock"]);
  });
});

describe("areEmpty", () => {
  const queue = (counts: Record<string, number>) => ({ getJobCounts: async () => counts });

  test("is true when every count of every queue is 0", async () => {
    expect(await areEmpty([queue({ waiting: 0, active: 0 }), queue({ waiting: 0 })])).toBe(true);
  });

  test("is false when the last queue has an active job", async () => {
    expect(await areEmpty([queue({ waiting: 0, active: 0 }), queue({ waiting: 0, active: 1 })])).toBe(false);
  });
});
