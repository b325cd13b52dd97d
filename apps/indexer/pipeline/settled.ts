import { setTimeout as pause } from "node:timers/promises";
import type { TicketClock } from "@tranche/shared/protocol/ticket/ticket-clock";

const LOOK_EVERY_MS = 500;

/**
 * Waits until writers may compare with what is there again: for some seconds after a restart of Redis whatever is derived counts as
 * changed. For work on many documents that nobody has changed. Ends early when `until` aborts.
 */
export async function settled(
  tickets: Pick<TicketClock, "takeVersions" | "isSettling">,
  until?: AbortSignal,
): Promise<void> {
  for (;;) {
    // A number is given by an examined Redis alone, so a restart that nobody has noticed yet is noticed here.
    await tickets.takeVersions(1);
    if (!tickets.isSettling() || until?.aborted) return;
    await pause(LOOK_EVERY_MS);
  }
}
