const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The backoff: pauses after the first failures, in ms. The last one holds for all that follow. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR];
/** A tenth more or less, so that receivers that were down together are not called together. */
const JITTER = 0.1;
/** How long deliveries are tried before the webhook is paused. */
export const GIVE_UP_MS = 72 * HOUR;
const GONE = 410;

/** The next step of a webhook after a failed attempt: another one after so many ms, or a pause with a reason for its owner. */
export type Next = { againMs: number } | { pause: string };

/** `failures`: attempts that failed in a row, this one included; `sinceMs`: for how long; `random`: from 0 to 1. */
export function nextAttempt(
  { status, reason }: { status: number | null; reason: string | null },
  { failures, sinceMs, random }: { failures: number; sinceMs: number; random: number },
): Next {
  if (status === GONE) return { pause: "The receiver answered 410 Gone: it wants no more deliveries." };
  if (sinceMs >= GIVE_UP_MS) return { pause: `Deliveries have failed for 3 days. The last reason: ${reason}` };
  const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1]!;
  const jittered = pauseMs * (1 - JITTER + 2 * JITTER * random);
  // The last attempt is not after the end of the three days.
  return { againMs: Math.round(Math.min(jittered, Math.max(SECOND, GIVE_UP_MS - sinceMs))) };
}
