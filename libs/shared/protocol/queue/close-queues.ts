import { withTimeLimit } from "../../process/time-limit.ts";

/** A queue whose Redis is away never closes. */
const CLOSE_WITHIN_MS = 1000;

/** Closes queues, and waits a second at most. Never rejects: the process ends anyway. */
export async function closeQueues(queues: Iterable<{ close(): Promise<void> }>): Promise<void> {
  const closed = Promise.allSettled([...queues].map((queue) => queue.close()));
  await withTimeLimit(closed, CLOSE_WITHIN_MS).catch(() => {});
}
