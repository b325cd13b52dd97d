import type { TicketClock } from "@tranche/shared/protocol/ticket/ticket-clock";

const EVERY_MS = 1000;

/**
 * Takes a ticket every second and saves the clock in Elasticsearch. It does so without work as well, because taking a ticket detects
 * a Redis that lost data. Never ends; the next ticket is due a second after the clock was saved.
 */
export async function watchTickets(
  tickets: { take: () => Promise<unknown>; saveClock: TicketClock["saveClock"] },
  log: { error: (details: object, text: string) => void },
): Promise<never> {
  for (;;) {
    try {
      await tickets.take();
      await tickets.saveClock();
    } catch (error) {
      log.error({ err: error }, "no ticket could be taken");
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
