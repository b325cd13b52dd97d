import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import type { Ticket } from "@tranche/shared/ticket/ticket-clock";
import type { Digests } from "./digests.ts";

/**
 * The tickets of a document that is written with `ticket`. `former`: those that it has in the live index, undefined when it is not there.
 * `certain`: no other writer, alive or dead, may have written it meanwhile. Deriving the same again then keeps `changed`.
 * Otherwise another writer may replace what it is compared with, so the document counts as changed and moved, and the time since which it
 * is listed is unknown. Rules 2 and 4 of docs/decisions/0040-a-feed-that-misses-nothing.md.
 */
export function changeTickets(
  ticket: Ticket,
  digests: Digests,
  former: ChangeTickets | undefined,
  certain: boolean,
): ChangeTickets {
  if (!certain) return { changed: ticket, created: 0, moved: ticket, ...digests };
  if (!former) return { changed: ticket, created: ticket, moved: ticket, ...digests };
  const { changed, created, moved, content_hash, filters_hash } = former;
  if (content_hash === digests.content_hash) return { changed, created, moved, ...digests };
  return { changed: ticket, created, moved: filters_hash === digests.filters_hash ? moved : ticket, ...digests };
}
