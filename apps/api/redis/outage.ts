import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "@tranche/shared/log/logger";

const ASK_EVERY_MS = 100;
/** A connection that stays open but says nothing for so long is made anew. */
const RECONNECT_AFTER_MS = 1000;

/** Whether Redis is away: from the first request that it did not answer until it answers again. */
export type Outage = {
  /** For how long it has been away, in ms; undefined when it is not. */
  lasts(): number | undefined;
  /** Somebody got no answer. */
  begins(reason: Error): void;
};

/**
 * While Redis is away nobody asks it but this, so that no request waits for it. `onBack` runs before anybody else asks again.
 */
export function createOutage(parts: {
  ping: () => Promise<void>;
  reconnect: () => void;
  onBack: () => Promise<void>;
  tell: (away: boolean) => void;
  log: Logger;
  now: () => number;
}): Outage {
  const { ping, reconnect, onBack, tell, log, now } = parts;
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
    await onBack();
    since = undefined;
    tell(false);
    log.warn({ seconds: Math.round((now() - began) / 100) / 10 }, "Redis is back");
  };

  return {
    lasts: () => (since === undefined ? undefined : now() - since),
    begins(reason) {
      if (since !== undefined) return;
      since = now();
      tell(true);
      log.warn({ reason: reason.message }, "Redis is away: keys that are known go by limits of this process alone");
      void untilBack(since);
    },
  };
}
