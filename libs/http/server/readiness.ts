import { memoizeFor } from "./memoize-for.ts";

/** Anyone may request /health/ready, so the engines are asked at most this often. */
const ASK_EVERY_MS = 1000;

export type Readiness = {
  /** Resolves when this process should get requests; otherwise rejects with the reason. */
  check: () => Promise<void>;
  /** From now on it is not ready, although it still answers: load balancers send the next requests elsewhere. */
  drain: () => void;
};

/**
 * Whether load balancers should send requests here. A process that was ready once stays ready while its engines fail for less than
 * `graceMs`: an engine that hiccups would otherwise make all processes unready at once, and callers would get no answer at all instead
 * of a cached page or a 503 with Retry-After. `ask` rejects when requests can't be answered. `now`: real time in ms.
 */
export function createReadiness(parts: {
  ask: () => Promise<unknown>;
  graceMs: number;
  now?: () => number;
  askEveryMs?: number;
}): Readiness {
  const { graceMs, now = Date.now } = parts;
  const ask = memoizeFor(parts.askEveryMs ?? ASK_EVERY_MS, parts.ask);
  let draining = false;
  let wasReady = false;
  let failingSince: number | undefined;
  return {
    async check() {
      if (!draining) {
        try {
          await ask();
          wasReady = true;
          failingSince = undefined;
        } catch (error) {
          failingSince ??= now();
          if (!wasReady || now() - failingSince >= graceMs) {
            wasReady = false;
            throw error;
          }
        }
      }
      // A process may begin to end while it asks.
      if (draining) throw new Error("the process is about to end");
    },
    drain: () => void (draining = true),
  };
}
