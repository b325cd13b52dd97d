import { setTimeout as pause } from "node:timers/promises";

const RETRIES = 5;
/** The longest pause before the first retry, in ms. It doubles with each. */
const FIRST_PAUSE_MS = 25;

/**
 * Optimistic concurrency: reads and writes again while `attempt` gives undefined because somebody else was faster: at most 6 times in all, after pauses at random,
 * so that many at once do not meet again. Undefined when somebody else always was.
 */
export async function retryConflicts<T>(
  attempt: () => Promise<T | undefined>,
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<T | undefined> {
  for (let retry = 0; ; retry++) {
    const done = await attempt();
    if (done !== undefined || retry === RETRIES) return done;
    await wait(Math.random() * FIRST_PAUSE_MS * 2 ** retry);
  }
}
