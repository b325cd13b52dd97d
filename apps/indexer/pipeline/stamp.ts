import { allMoved, type ChangeTickets, movedField, movedGroups } from "@tranche/read-models/documents/change-tickets";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import { type Digests, groupDigests } from "./digests.ts";

/**
 * The tickets of a document that is written with `ticket`. `stored`: those that it has in the live index, undefined when it is not there.
 * `certain`: no other writer, alive or dead, may have written it meanwhile. Deriving the same again then keeps `changed`.
 * Otherwise another writer may replace what it is compared with, so the document counts as changed and moved in every group of fields, and
 * the time since which it is listed is unknown. Rules 2, 4 and 15 of docs/decisions/0040-a-feed-that-misses-nothing.md.
 */
export function changeTickets(
  ticket: Ticket,
  digests: Digests,
  stored: ChangeTickets | undefined,
  certain: boolean,
): ChangeTickets {
  if (!certain) return { changed: ticket, created: 0, ...allMoved(ticket), ...digests };
  if (!stored) return { changed: ticket, created: ticket, ...digests };
  const { created, content_hash } = stored;
  if (content_hash === digests.content_hash) return { ...stored, ...digests };
  const [before, now] = [groupDigests(stored.filters_hash), groupDigests(digests.filters_hash)];
  const groups = movedGroups((group, n) =>
    before !== undefined && before[n] === now?.[n] ? stored[movedField(group)] : ticket,
  );
  return { changed: ticket, created, ...groups, ...digests };
}
