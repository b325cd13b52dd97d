import { expect, test } from "vitest";
import { createActivity } from "./activity.ts";
import { createWatchdog } from "./watchdog.ts";

const MINUTE = 60_000;

/** A watchdog of a process that the test drives: stuck after 5 minutes, gone after another one. */
function watched() {
  const is = { now: 0, waiting: 0, answer: true, held: false, exits: 0, lines: [] as string[] };
  const activity = createActivity(() => is.now);
  const note = (_what: object, line: string) => void is.lines.push(line);
  const watchdog = createWatchdog({
    activity,
    queues: ["ingest"],
    waiting: async () => new Map([["ingest", is.waiting]]),
    enginesAnswer: async () => is.answer,
    isHeld: () => is.held,
    stuckAfterMs: 5 * MINUTE,
    exitAfterMs: MINUTE,
    exit: () => void is.exits++,
    log: { error: note, fatal: note } as never,
    now: () => is.now,
  });
  /** Lets minutes pass, with a look in each; returns what is stuck then. */
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      is.now += MINUTE;
      await watchdog.look();
    }
    return watchdog.stuck();
  };
  return { is, activity, pass };
}

test("a process without work is never stuck", async () => {
  const { is, pass } = watched();
  expect(await pass(1000)).toBeUndefined();
  expect(is.exits).toBe(0);
});

test("a job that makes no progress: first not live, a minute later the end", async () => {
  const { is, activity, pass } = watched();
  void activity.track("ingest", () => new Promise(() => {}));
  expect(await pass(5)).toBeUndefined();
  expect(await pass(1)).toBe("a job in queue ingest makes no progress");
  expect(is.exits).toBe(0);
  await pass(1);
  expect(is.exits).toBe(1);
  expect(is.lines).toHaveLength(2);
});

test("a stuck job that makes progress after all is forgiven", async () => {
  const { is, activity, pass } = watched();
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = activity.track("ingest", () => promise);
  expect(await pass(6)).toBeDefined();
  resolve();
  await work;
  expect(await pass(100)).toBeUndefined();
  expect(is.exits).toBe(0);
});

test("jobs that wait while this process takes none", async () => {
  const { is, activity, pass } = watched();
  is.waiting = 3;
  expect(await pass(6)).toBeUndefined();
  // One that was taken meanwhile shows that the worker works.
  await activity.track("ingest", async () => {});
  expect(await pass(6)).toBeUndefined();
  expect(await pass(1)).toBe("jobs in queue ingest are not taken");
  await pass(1);
  expect(is.exits).toBe(1);
});

test("waiting for an engine that is away, or leaving jobs to a later version, is not a hang", async () => {
  for (const reason of ["answer", "held"] as const) {
    const { is, activity, pass } = watched();
    void activity.track("ingest", () => new Promise(() => {}));
    is.waiting = 3;
    is[reason] = reason === "held";
    expect(await pass(1000)).toBeUndefined();
    // Once it is back, work has its full time again.
    is[reason] = reason === "answer";
    expect(await pass(5)).toBeUndefined();
    expect(await pass(1)).toBeDefined();
    expect(is.exits).toBe(0);
  }
});

test("work of queues that wait for others is not watched", async () => {
  const { is, activity, pass } = watched();
  void activity.track("upkeep", () => new Promise(() => {}));
  expect(await pass(1000)).toBeUndefined();
  expect(is.exits).toBe(0);
});
