const EVERY_MS = 5000;

/**
 * Takes a ticket every 5 s, also when there is no work, because taking one detects a Redis that lost its data. Never ends; the
 * next ticket is due 5 s after the last one was answered.
 */
export async function watchTickets(
  take: () => Promise<unknown>,
  log: { error: (details: object, text: string) => void },
): Promise<never> {
  for (;;) {
    await take().catch((error: Error) => log.error({ err: error }, "no ticket could be taken"));
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
