import { setTimeout as pause } from "node:timers/promises";

/** Waits for `ms`; never ends once the work has ended. */
export type Wait = (ms: number) => Promise<undefined>;

/** Does work beside a watch, and ends as the first of them does. */
export async function watched<T, Lost>(
  work: () => Promise<T>,
  watch: (wait: Wait) => Promise<Lost>,
): Promise<T | Lost> {
  const ended = new AbortController();
  const wait: Wait = (ms) => pause(ms, undefined, { signal: ended.signal }).catch(() => new Promise<never>(() => {}));
  try {
    return await Promise.race([work(), watch(wait)]);
  } finally {
    ended.abort();
  }
}
