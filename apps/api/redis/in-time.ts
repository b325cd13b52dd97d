/** Redis did not answer in time, or there is no connection to it. */
export class RedisAway extends Error {
  override name = "RedisAway";
}

/** Passes on an answer of Redis, or rejects with RedisAway. */
export type InTime = <T>(answer: Promise<T>) => Promise<T>;

/** A timer that is later than this tells of a busy process or machine, not of Redis. */
const PUNCTUAL_MS = 25;
const BUSY_TURNS = 5;

/**
 * Gives up all that waits when nothing at all was answered for `withinMs`. As long as answers come, even slowly because
 * thousands are due, Redis is there. Answers that came but that this process was too busy to read are read first; and while
 * the process does not get to run on time, Redis is given some turns more.
 */
export function createInTime(withinMs: number): InTime {
  const waiting = new Set<(error: RedisAway) => void>();
  let heardAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let busyTurns = 0;

  const look = (due: number) => {
    timer = undefined;
    if (waiting.size === 0) return;
    const silentFor = performance.now() - heardAt;
    if (silentFor < withinMs) {
      busyTurns = 0;
      return lookIn(withinMs - silentFor);
    }
    if (performance.now() - due > PUNCTUAL_MS && ++busyTurns < BUSY_TURNS) return lookIn(withinMs);
    busyTurns = 0;
    const error = new RedisAway(`no answer within ${withinMs} ms`);
    for (const giveUp of waiting) giveUp(error);
    waiting.clear();
  };
  const lookIn = (ms: number) => {
    const due = performance.now() + ms;
    timer = setTimeout(() => setImmediate(look, due), ms);
  };

  return (answer) =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) heardAt = performance.now();
      if (timer === undefined) lookIn(withinMs);
      waiting.add(reject);
      answer.then(
        (value) => {
          heardAt = performance.now();
          waiting.delete(reject);
          resolve(value);
        },
        (error: Error) => {
          waiting.delete(reject);
          // What Redis itself refuses, such as a script with an error in it, is an answer.
          if (error.name !== "ReplyError") return reject(new RedisAway(error.message, { cause: error }));
          heardAt = performance.now();
          reject(error);
        },
      );
    });
}
