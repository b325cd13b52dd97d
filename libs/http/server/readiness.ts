import { withTimeLimit } from "@tranche/shared/process/time-limit";
import { memoizeFor } from "./memoize-for.ts";

/** Anyone may request /health/ready, so the engines are asked at most this often. */
const ASK_EVERY_MS = 1000;
/** Load balancers wait for few seconds. An engine that hangs counts as one that fails. */
const ANSWER_WITHIN_MS = 1500;
/** Load balancers ask more often. After a longer silence nobody knows whether an outage has ended meanwhile, so the next one is new. */
const SILENT_FOR_MS = 60_000;

type Readiness = {
  /** Resolves when this process should get requests; otherwise rejects with the reason. */
  check: () => Promise<void>;
  /** From now on it is not ready, although it still answers: load balancers send the next requests elsewhere. */
  drain: () => void;
};

/**
 * Whether load balancers should send requests here. A process that was ready once stays ready while its engines fail for less than
 * `graceMs`: an engine that hiccups would otherwise make all processes unready at once, and callers would get no answer at all instead
 * of a cached page or a 503 with Retry-After. It answers within 2 s, whatever hangs. `ask` rejects when requests can't be answered. `now`: real time in ms.
 */
export function createReadiness(parts: {
  ask: () => Promise<unknown>;
  graceMs: number;
  now?: () => number;
  askEveryMs?: number;
}): Readiness {
  const { graceMs, now = Date.now } = parts;
  const ask = memoizeFor(parts.askEveryMs ?? ASK_EVERY_MS, () => withTimeLimit(parts.ask(), ANSWER_WITHIN_MS));
  let draining = false;
  let wasReady = false;
  let failing: { since: number; last: number } | undefined;
  return {
    async check() {
      if (!draining) {
        try {
          await ask();
          wasReady = true;
          failing = undefined;
        } catch (error) {
          const at = now();
          const since = failing && at - failing.last <= SILENT_FOR_MS ? failing.since : at;
          failing = { since, last: at };
          if (!wasReady || at - since >= graceMs) {
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
