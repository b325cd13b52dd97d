import type { Redis } from "ioredis";

/**
 * Sends something to Redis together with what others ask in this turn of the event loop and in the next ones, all in one write to
 * the socket: the write costs more than what Redis does with it. The next turn begins at once, so that waiting for it takes time
 * only while there are requests to be read.
 */
export type AtTurnsEnd = <T>(send: () => Promise<T>) => Promise<T>;

/** How many turns are waited for. With twice as many, hardly more come together. */
const TURNS = 4;

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
  const turn = (turns: number) => {
    if (turns < TURNS) setImmediate(turn, turns + 1);
    else sendAll();
  };
  return (send) =>
    new Promise((resolve, reject) => {
      if (due.length === 0) setImmediate(turn, 1);
      due.push(() => void send().then(resolve, reject));
    });
}
