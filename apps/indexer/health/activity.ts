/** Work that neither ends nor hears from Elasticsearch for so long does not go on: a request to it is given up after a minute. */
const STUCK_AFTER_MS = 300_000;

/** Whether the work of this process goes on. */
export type Activity = {
  /** Counts the work as open until it settles. */
  track<T>(work: () => Promise<T>): Promise<T>;
  /** An engine answered, or failed to: whoever waits for it is not stuck. */
  note(): void;
  /** Whether there is open work, and nothing has happened for five minutes. */
  isStuck(): boolean;
};

/** `now`: real time in ms. */
export function createActivity(now: () => number = Date.now): Activity {
  let open = 0;
  let last = now();
  const note = () => {
    last = now();
  };
  return {
    note,
    async track(work) {
      note();
      open++;
      try {
        return await work();
      } finally {
        open--;
        note();
      }
    },
    isStuck: () => open > 0 && now() - last > STUCK_AFTER_MS,
  };
}
