import type { IngestRun } from "@tranche/shared/protocol/runs/ingest-runs";
import { describe, expect, test } from "vitest";
import { areEmpty, closeRuns } from "./close-runs.ts";

const run = (id: string, enqueued_at: string | null): IngestRun => ({
  kind: "ingest-run",
  id,
  files: ["a.ndjson"],
  versions: [],
  started_at: new Date(Date.now() - 600_000).toISOString(),
  enqueued_at,
  enqueued: 1,
  jobs: 0,
  parts: [],
  open: true,
});
const MINUTE_AGO = new Date(Date.now() - 60_000).toISOString();
const ENQUEUED = run("enqueued", MINUTE_AGO);
const ENQUEUEING = run("enqueueing", null);

const LOST: IngestRun = { ...run("lost", MINUTE_AGO), jobs: 3 };
const OLD = { started_at: "2025-03-14T08:00:00Z", jobs: 3 };

/** Notes the queues that are checked and the runs that are closed or reported. `marks`: the last marked job of each enqueued run. */
async function stepsOf(
  runs: IngestRun[],
  options: { empty?: boolean; failed?: boolean; marks?: Record<string, number> } = {},
) {
  const { empty = true, failed = false, marks = {} } = options;
  const steps: string[] = [];
  await closeRuns({
    runs: {
      open: async () => {
        steps.push("runs");
        return runs;
      },
      close: async (closed) => void steps.push(...closed.map(({ id }) => `close ${id}`)),
    },
    losses: { doneAgain: async ({ id }) => void steps.push(`done ${id}`) },
    areQueuesEmpty: async () => {
      steps.push("queues");
      return empty;
    },
    haveJobsFailed: async () => failed,
    examine: async () => steps.push("examine"),
    markedJobs: async (ids) => {
      steps.push("marks");
      return ids.map((id) => marks[id] ?? 0);
    },
    reportLost: async (_, lost) => void steps.push(...lost.map(({ id }) => `report ${id}`)),
  });
  return steps;
}

describe("closeRuns", () => {
  test("closes runs that enqueued everything, after it has seen empty queues and then an examined Redis", async () => {
    const steps = ["runs", "queues", "examine", "runs", "marks", "close enqueued", "done enqueued"];
    expect(await stepsOf([ENQUEUED, ENQUEUEING])).toEqual(steps);
  });

  test("takes no former loss for made good while an ingest job has failed as a whole", async () => {
    expect((await stepsOf([ENQUEUED], { failed: true })).slice(-2)).toEqual(["marks", "close enqueued"]);
  });

  test("leaves a run that still enqueues", async () => {
    expect(await stepsOf([ENQUEUEING])).toEqual(["runs"]);
  });

  test("closes nothing while a job is left", async () => {
    expect(await stepsOf([ENQUEUED], { empty: false })).toEqual(["runs", "queues"]);
  });

  test("reports a run of which Redis has not marked all jobs, and closes one of which it has", async () => {
    expect((await stepsOf([LOST], { marks: { lost: 2 } })).at(-1)).toBe("report lost");
    expect(await stepsOf([LOST], { marks: { lost: 3 } })).toContain("close lost");
  });

  test("closes a run whose marks Redis has forgotten by now, without a report", async () => {
    const brokenOff = { ...run("broken-off", null), ...OLD };
    expect((await stepsOf([brokenOff])).at(-1)).toBe("close broken-off");
    const old = { ...run("old", "2025-03-14T08:02:00Z"), ...OLD };
    expect((await stepsOf([old])).slice(-2)).toEqual(["close old", "done old"]);
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
