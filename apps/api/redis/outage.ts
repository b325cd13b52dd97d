import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@tranche/shared/process/logger";

const ASK_EVERY_MS = 100;
/** A connection that stays open but silent for this long is opened again. */
const RECONNECT_AFTER_MS = 1000;

/** Whether Redis is away: from the first command without a reply, or refused as all writes are, until a ping succeeds. */
export type Outage = {
  /** For how long Redis has been away, in ms; undefined when it is not. */
  lasts(): number | undefined;
  /** Reports a command without a reply. */
  begins(reason: Error): void;
  /** Runs this before requests use Redis again. */
  beforeBack(run: () => Promise<void>): void;
};

/** A circuit breaker: while Redis is away, only this pings it, so that no request waits. `beforeBack` runs before requests use Redis again. */
export function createOutage(parts: {
  ping: () => Promise<void>;
  reconnect: () => void;
  report: (away: boolean) => void;
  log: Logger;
  now: () => number;
}): Outage {
  const { ping, reconnect, report, log, now } = parts;
  let run = async () => {};
  let since: number | undefined;

  const untilBack = async (began: number) => {
    let tried = began;
    for (;;) {
      await pause(ASK_EVERY_MS, undefined, { ref: false });
      try {
        await ping();
        break;
      } catch {
        // Still away.
      }
      if (now() - tried >= RECONNECT_AFTER_MS) {
        tried = now();
        reconnect();
      }
    }
    await run();
    since = undefined;
    report(false);
    log.warn({ seconds: Math.round((now() - began) / 100) / 10 }, "Redis is back");
  };

  return {
    lasts: () => (since === undefined ? undefined : now() - since),
    begins(reason) {
      if (since !== undefined) return;
      since = now();
      report(true);
      log.warn({ reason: reason.message }, "Redis is away: known keys are limited by this process alone");
      void untilBack(since);
    },
    beforeBack: (first) => void (run = first),
  };
}
