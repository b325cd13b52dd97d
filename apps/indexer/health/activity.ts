import { AsyncLocalStorage } from "node:async_hooks";

/** The work of this process, by queue. */
export type Activity = {
  /** Counts the work as open until it settles. */
  track<T>(queue: string, work: () => Promise<T>): Promise<T>;
  /** An engine answered, or failed to, within some work: this work does not hang. Other answers do not count. */
  heartbeat(): void;
  /** All work counts as active: it waits for something that the whole process waits for. */
  heartbeatAll(): void;
  /** Works that are open, and that have begun at all. */
  of(queue: string): { open: number; begun: number };
  /** The queues with open work in which nothing has happened for `ms`: no work ended, and no engine answered. */
  silentFor(ms: number): string[];
};

type Queue = { open: number; begun: number; last: number };

/** `now`: real time in ms. */
export function createActivity(now: () => number = Date.now): Activity {
  const queues = new Map<string, Queue>();
  // Health checks use the same clients, and a batch of one queue must not hide a hang in another.
  const within = new AsyncLocalStorage<Queue>();
  const queueOf = (name: string): Queue => {
    let queue = queues.get(name);
    if (!queue) queues.set(name, (queue = { open: 0, begun: 0, last: now() }));
    return queue;
  };
  return {
    async track(name, work) {
      const queue = queueOf(name);
      queue.open++;
      queue.begun++;
      queue.last = now();
      try {
        return await within.run(queue, work);
      } finally {
        queue.open--;
        queue.last = now();
      }
    },
    heartbeat() {
      const queue = within.getStore();
      if (queue) queue.last = now();
    },
    heartbeatAll() {
      for (const queue of queues.values()) queue.last = now();
    },
    of: (name) => queueOf(name),
    silentFor: (ms) => [...queues].filter(([, { open, last }]) => open > 0 && now() - last > ms).map(([name]) => name),
  };
}
