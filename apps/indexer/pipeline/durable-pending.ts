import type { PendingDocuments } from "@tranche/shared/protocol/queue/pending-documents";
import type { Ticket, TicketClock } from "@tranche/shared/protocol/ticket/ticket-clock";

/**
 * Pending documents that outlast a Redis that loses its newest writes. What is added again gets a ticket of its own: with the former one,
 * a derivation that began before a later addition would forget that, too.
 */
export function durablePending(
  { durably, take }: Pick<TicketClock, "durably" | "take">,
  pending: PendingDocuments,
): PendingDocuments {
  return {
    ...pending,
    async add(ticket, ids) {
      let given: Ticket | undefined = ticket;
      await durably(async () => {
        const own = given ?? (await take());
        given = undefined;
        await pending.add(own, ids);
      })();
    },
  };
}
