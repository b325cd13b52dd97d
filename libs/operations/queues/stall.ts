import type { Queue } from "bullmq";

const STALL_MS = 10_000;
/** While an indexer is connected: on a busy machine, one batch of a large load takes longer than `STALL_MS`. */
const CONNECTED_STALL_MS = 60_000;

/** The state of a queue and its workers. */
type WorkState = { queue: string; paused: boolean; workers: number; active: number; waiting: number };

/** Reports the likely reason of a stall once: after 10 s, or after a minute while an indexer is connected. The caller passes a `state` that changes with every bit of progress. */
export function watchForStall(queue: Queue, report: (line: string) => void): (state: string) => Promise<void> {
  let [last, since, reported] = ["", Date.now(), false];
  return async (state) => {
    if (state !== last) [last, since, reported] = [state, Date.now(), false];
    const stalledMs = Date.now() - since;
    if (reported || stalledMs < STALL_MS) return;
    const work = await workState(queue);
    if (!work.paused && work.workers > 0 && stalledMs < CONNECTED_STALL_MS) return;
    reported = true;
    report(stallText(work, Math.floor(stalledMs / 1000)));
  };
}

async function workState(queue: Queue): Promise<WorkState> {
  const [paused, workers, counts] = await Promise.all([
    queue.isPaused(),
    queue.getWorkersCount(),
    queue.getJobCounts("active", "waiting", "delayed", "prioritized"),
  ]);
  const { active = 0, waiting = 0, delayed = 0, prioritized = 0 } = counts;
  return { queue: queue.name, paused, workers, active, waiting: waiting + delayed + prioritized };
}

/** The likely reason for `seconds` without progress, judged by the queue. */
export function stallText({ queue, paused, workers, active, waiting }: WorkState, seconds: number): string {
  return `No progress for ${seconds} s: ${reason()}. Waiting …`;

  function reason(): string {
    if (paused) return `the queue '${queue}' is paused`;
    if (workers === 0) return "no indexer is connected. Start one with `npm run indexer`";
    const connected = workers === 1 ? "an indexer is connected" : `${workers} indexers are connected`;
    if (active > 0) return `${connected} and working on it; the indexer's log says more`;
    if (waiting > 0) return `${connected} but not free for it yet`;
    return `${connected}; interrupted work is taken up again within a minute`;
  }
}
