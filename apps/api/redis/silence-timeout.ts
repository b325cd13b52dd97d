import { refusesWrites } from "@tranche/shared/engines/redis/refused-writes";
import { connectionErrorText } from "@tranche/shared/engines/redis/connection-errors";

/** Redis did not answer in time, or there is no connection to it. */
export class RedisAway extends Error {
  override name = "RedisAway";
  /** For how long it has been away, in ms. */
  lasts = 0;
}

/** Resolves as the reply of Redis does, or rejects with RedisAway. */
export type WithTimeout = <T>(answer: Promise<T>) => Promise<T>;

/** A timer that fires later than this shows that the process or the machine is busy, not that Redis is away. */
const PUNCTUAL_MS = 25;
const BUSY_TURNS = 5;
/** Replies of a server that executed nothing: a Cluster without a master for the slot, or one that reads its data. */
const CANNOT_SERVE = /^(CLUSTERDOWN|MOVED|TRYAGAIN|LOADING|MASTERDOWN)\b/;

/**
 * Rejects all waiting commands when Redis has answered none for `withinMs`. A timeout per command would be wrong under load: while
 * replies arrive, Redis is there, however long the queue is. Replies that this process was too busy to read are read first, and a
 * process that does not run on time waits for up to `BUSY_TURNS` periods in all.
 */
export function createSilenceTimeout(withinMs: number): WithTimeout {
  const waiting = new Set<(error: RedisAway) => void>();
  let repliedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let busyTurns = 0;

  const check = (due: number) => {
    timer = undefined;
    if (waiting.size === 0) return;
    const silentFor = performance.now() - repliedAt;
    if (silentFor < withinMs) {
      busyTurns = 0;
      return schedule(withinMs - silentFor);
    }
    if (performance.now() - due > PUNCTUAL_MS && ++busyTurns < BUSY_TURNS) return schedule(withinMs);
    busyTurns = 0;
    const error = new RedisAway(`no answer within ${withinMs} ms`);
    for (const giveUp of waiting) giveUp(error);
    waiting.clear();
  };
  const schedule = (ms: number) => {
    const due = performance.now() + ms;
    timer = setTimeout(() => setImmediate(check, due), ms);
  };

  return (answer) =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) repliedAt = performance.now();
      if (timer === undefined) schedule(withinMs);
      waiting.add(reject);
      answer.then(
        (value) => {
          repliedAt = performance.now();
          waiting.delete(reject);
          resolve(value);
        },
        (error: Error) => {
          waiting.delete(reject);
          // An error reply, such as that of a broken script, is a reply too. But a node without its slots or its data is away, and so is
          // one that takes no writes: every request is counted.
          if (error.name !== "ReplyError" || CANNOT_SERVE.test(error.message) || refusesWrites(error))
            return reject(new RedisAway(connectionErrorText(error), { cause: error }));
          repliedAt = performance.now();
          reject(error);
        },
      );
    });
}
