import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@tranche/shared/process/logger";
import type { Activity } from "./activity.ts";

const LOOK_EVERY_MS = 5000;

export type Watchdog = {
  /** The work that makes no progress; undefined while all work does. */
  stuck(): string | undefined;
  /** Looks once. */
  look(): Promise<void>;
  /** Looks again and again, until aborted. */
  watch(until: AbortSignal): Promise<void>;
};

type WatchdogParts = {
  activity: Activity;
  /** Queues whose work never waits for another queue. */
  queues: readonly string[];
  /** How many jobs of each queue this process could take. While it does no job of a queue, no job of that queue should wait for long. */
  waiting: () => Promise<ReadonlyMap<string, number>>;
  /** Whether both engines answer. */
  enginesAnswer: () => Promise<boolean>;
  /** Whether this process leaves its jobs to a later version. */
  isHeld: () => boolean;
  /** Work is stuck when nothing has happened for this long … */
  stuckAfterMs: number;
  /** … and the process exits when it has been stuck for this long. */
  exitAfterMs: number;
  exit: () => void;
  log: Pick<Logger, "error" | "fatal">;
  now?: () => number;
};

/**
 * Notices when this process no longer makes progress although it has work: a job that waits for something that never comes, or a
 * worker that takes no jobs while some wait. Then `stuck` says so, and later the process exits to be started anew; its jobs go to
 * another worker. Waiting for an engine that is away is not a hang, and a new process would only wait likewise.
 */
export function createWatchdog(parts: WatchdogParts): Watchdog {
  const { activity, queues, stuckAfterMs, exitAfterMs, log, now = Date.now } = parts;
  /** Since when jobs have waited while this process had none, and how many it had begun by then. */
  const idle = new Map<string, { since: number; begun: number }>();
  let stuck: { what: string; since: number } | undefined;

  const idleQueues = async (): Promise<string[]> => {
    for (const [queue, jobs] of await parts.waiting()) {
      const { open, begun } = activity.of(queue);
      if (jobs === 0 || open > 0 || idle.get(queue)?.begun !== begun) idle.delete(queue);
      if (jobs > 0 && open === 0 && !idle.has(queue)) idle.set(queue, { since: now(), begun });
    }
    return [...idle].filter(([, { since }]) => now() - since > stuckAfterMs).map(([queue]) => queue);
  };
  const reasons = async (): Promise<string[]> => {
    const silent = activity.silentFor(stuckAfterMs).filter((queue) => queues.includes(queue));
    return [
      ...silent.map((queue) => `a job in queue ${queue} makes no progress`),
      ...(await idleQueues()).map((queue) => `jobs in queue ${queue} are not taken`),
    ];
  };

  const watchdog: Watchdog = {
    stuck: () => stuck?.what,
    async look() {
      if (parts.isHeld() || !(await parts.enginesAnswer())) {
        activity.heartbeatAll();
        idle.clear();
        stuck = undefined;
        return;
      }
      const what = (await reasons()).join("; ");
      if (what === "") return void (stuck = undefined);
      if (!stuck)
        log.error({ what }, "this indexer is stuck; it ends soon, to be started anew, unless it makes progress");
      stuck = { what, since: stuck?.since ?? now() };
      if (now() - stuck.since < exitAfterMs) return;
      log.fatal({ what }, "this indexer is stuck and ends; its jobs go to another one");
      parts.exit();
    },
    async watch(until) {
      const every = Math.min(LOOK_EVERY_MS, stuckAfterMs / 10, exitAfterMs / 2);
      while (!until.aborted) {
        await pause(every, undefined, { signal: until, ref: false }).catch(() => {});
        // An engine went away between two questions: the next look notices.
        if (!until.aborted) await watchdog.look().catch(() => {});
      }
    },
  };
  return watchdog;
}
