import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { inOneWrite } from "@tranche/shared/engines/redis/nodes";

/**
 * Sends commands in one write to the socket with all others of this turn of the event loop and the next ones, because a write costs
 * more than what Redis does with it. Turns follow each other at once, so waiting takes time only while there are requests to read.
 * The `enableAutoPipelining` option of ioredis is not the same: it holds commands back while a pipeline is under way.
 */
export type Coalesce = <T>(send: () => Promise<T>) => Promise<T>;

/** Turns to wait for. Twice as many collect hardly more commands. */
const TURNS = 4;

export function createCoalescedWrites(redis: RedisClient): Coalesce {
  let due: (() => void)[] = [];
  const sendAll = () => {
    const sends = due;
    due = [];
    inOneWrite(redis, () => {
      for (const send of sends) send();
    });
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
