import type { TicketClock } from "@tranche/shared/ticket/ticket-clock";

const EVERY_MS = 1000;

/**
 * Takes a ticket every second and notes the clock in Elasticsearch. It does so without work as well, because taking a ticket detects
 * a Redis that lost data. Never ends; the next ticket is due a second after the last one was noted.
 */
export async function watchTickets(
  tickets: { take: () => Promise<unknown>; note: TicketClock["note"] },
  log: { error: (details: object, text: string) => void },
): Promise<never> {
  for (;;) {
    try {
      await tickets.take();
      await tickets.note();
    } catch (error) {
      log.error({ err: error }, "no ticket could be taken");
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
