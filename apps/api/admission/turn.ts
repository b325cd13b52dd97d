import type { Redis } from "ioredis";

/**
 * Sends something to Redis together with what others ask in this turn of the event loop and in the next one, all in one write to
 * the socket: the write costs more than what Redis does with it. The next turn begins at once, so that waiting for it takes time
 * only while there are requests to be read.
 */
export type AtTurnsEnd = <T>(send: () => Promise<T>) => Promise<T>;

export function createAtTurnsEnd(redis: Redis): AtTurnsEnd {
  let due: (() => void)[] = [];
  const sendAll = () => {
    const sends = due;
    due = [];
    // None before the first connection; then sending rejects.
    const stream = redis.stream as Redis["stream"] | undefined;
    stream?.cork();
    for (const send of sends) send();
    stream?.uncork();
  };
  return (send) =>
    new Promise((resolve, reject) => {
      if (due.length === 0) setImmediate(() => setImmediate(sendAll));
      due.push(() => void send().then(resolve, reject));
    });
}
