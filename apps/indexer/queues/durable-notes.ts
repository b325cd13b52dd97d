import type { NotedDocuments } from "@tranche/shared/queue/noted-investors";
import type { Ticket, TicketClock } from "@tranche/shared/ticket/ticket-clock";

/**
 * Notes that outlast a Redis that loses its newest writes. What is noted again gets a ticket of its own: with the former one, a derivation
 * that began before a later note would forget that, too.
 */
export function durableNotes(
  { durably, take }: Pick<TicketClock, "durably" | "take">,
  notes: NotedDocuments,
): NotedDocuments {
  return {
    ...notes,
    async add(ticket, ids) {
      let given: Ticket | undefined = ticket;
      await durably(async () => {
        const own = given ?? (await take());
        given = undefined;
        await notes.add(own, ids);
      })();
    },
  };
}
