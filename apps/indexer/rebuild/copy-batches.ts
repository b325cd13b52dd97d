import type { Ticket, TicketClock } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { Sources } from "../read/sources.ts";

/** Investors that are kept from page to page, which bounds memory … */
const MAX_INVESTORS = 30_000;
/** … and pages that share a ticket. The older the ticket, the more documents are superseded meanwhile and derived in vain. */
const MAX_PAGES = 250;

/**
 * The work of one process under one ticket. The ticket is taken before any record is read, so a write that is refreshed later has a
 * higher one. Investors that one page has read are valid for the other pages, too, also for those of other slices.
 */
export type CopyBatch = { ticket: Ticket; investors: Sources["investors"]; pages: number };

/** The batches of a process, one after another. A rebuild begins with one of its own. */
export function createCopyBatches(tickets: TicketClock) {
  let current: { run: string; batch: CopyBatch } | undefined;
  return {
    /** The batch of the next page, whose records are not read yet. */
    async of(run: string): Promise<CopyBatch> {
      const isUsable =
        current?.run === run && current.batch.pages < MAX_PAGES && current.batch.investors.size < MAX_INVESTORS;
      if (!isUsable) current = { run, batch: { ticket: await tickets.take(), investors: new Map(), pages: 0 } };
      const { batch } = current!;
      batch.pages++;
      return batch;
    },
  };
}
