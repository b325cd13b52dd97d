import { setTimeout as pause } from "node:timers/promises";

/** Tells Redis something. Doing it twice must be the same as doing it once. */
type Tell<Arguments extends unknown[], Answer> = (...told: Arguments) => Promise<Answer>;

/**
 * What a process has told Redis and cannot prove to be kept. The first number of the clock that was asked for after it is the proof: a
 * Redis that has come to that number has everything from before. Without proof it is told again when Redis may have lost it.
 */
export type Unproven = {
  /** The same function, whose calls are told again after a loss. */
  durably: <Arguments extends unknown[], Answer>(tell: Tell<Arguments, Answer>) => Tell<Arguments, Answer>;
  /** Before a number is asked for. Returns what to call with the number: it proves everything that was told until now. */
  asking(): (number: number) => void;
  /** A Redis that lacks this number counts as one that lost jobs, after which everything is derived: no less is ever told again. */
  saved(number: number): void;
  /** Tells a Redis that has come to no more than a number what it may have lost. */
  lost(above: number): Promise<void>;
};

const RETRY_AFTER_MS = 1000;
const NONE = Number.POSITIVE_INFINITY;

export function createUnproven(): Unproven {
  let all: { again: () => Promise<unknown>; proof: number }[] = [];
  /** How many were ever told. */
  let told = 0;
  let losses = 0;

  const durably = <Arguments extends unknown[], Answer>(tell: Tell<Arguments, Answer>): Tell<Arguments, Answer> => {
    const durable: Tell<Arguments, Answer> = async (...of) => {
      const before = losses;
      const answer = await tell(...of);
      if (losses === before) {
        all.push({ again: () => durable(...of), proof: NONE });
        told++;
      } else {
        // Only its end may have been told to the new Redis.
        await durable(...of);
      }
      return answer;
    };
    return durable;
  };
  return {
    durably,
    asking() {
      const before = told;
      return (number) => {
        for (let at = all.length - 1 - (told - before); at >= 0 && all[at]!.proof === NONE; at--)
          all[at]!.proof = number;
      };
    },
    saved(number) {
      all = all.filter(({ proof }) => proof > number);
    },
    async lost(above) {
      const missing = all.filter(({ proof }) => proof > above);
      all = [];
      losses++;
      for (const { again } of missing) await untilDone(again);
    },
  };
}

/** Redis may be away again. */
async function untilDone(tell: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await tell();
      return;
    } catch {
      await pause(RETRY_AFTER_MS, undefined, { ref: false });
    }
  }
}
