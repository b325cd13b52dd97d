import type { Client } from "@elastic/elasticsearch";
import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import type { PendingWrites } from "@tranche/shared/protocol/feed/pending-writes";
import type { OnRetry } from "@tranche/shared/engines/search/retry-forever";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { Derived } from "../write/outgoing.ts";
import { digestsOf } from "./digests.ts";
import { readStoredTickets } from "./stored-tickets.ts";
import type { Kept } from "./kept.ts";
import { REGISTRY } from "@tranche/read-models/documents/registry";
import { changeTickets } from "./stamp.ts";

/** Derived documents with the tickets of their changes, lazily. `kept`: the fields that gone documents keep. */
export type Stamp = (documents: Iterable<Derived>, kept: Kept) => Iterable<Derived>;

/**
 * Compares documents with the live index; `ids` are those that may be derived. `uncertain`: ids that somebody else may write meanwhile;
 * true for all, when an earlier writer may have died. Call it after the ticket was taken with its note.
 */
export async function createStamp(
  parts: { client: Client; onRetry: OnRetry },
  model: FeedModel,
  live: string,
  ticket: Ticket,
  ids: readonly string[],
  uncertain: ReadonlySet<string> | true,
): Promise<Stamp> {
  const compared = ids.filter((id) => isCertain(uncertain, id));
  const stored = await readStoredTickets(parts, model, live, compared);
  return function* (documents, kept) {
    for (const derived of documents) yield stampedOne(model, ticket, derived, { stored, uncertain, kept });
  };
}

/**
 * The same for the copy of a rebuild. A document that nobody shows is copied when the live index has it too, because readers may not know
 * of its removal yet.
 */
export async function createCopyStamp(
  parts: { client: Client; onRetry: OnRetry; pendingWrites: Pick<PendingWrites, "pending"> },
  model: FeedModel,
  live: string,
  ticket: Ticket,
  ids: readonly string[],
): Promise<Stamp> {
  // Before the live index is read: documents that are no longer in a note are visible.
  const uncertain = await parts.pendingWrites.pending(model, ids);
  const stored = await readStoredTickets(parts, model, live, ids);
  return function* (documents, kept) {
    for (const derived of documents) {
      if ("gone" in derived.document && !stored.has(derived.id)) continue;
      yield stampedOne(model, ticket, derived, { stored, uncertain, kept });
    }
  };
}

type Compared = { stored: ReadonlyMap<string, ChangeTickets>; uncertain: ReadonlySet<string> | true; kept: Kept };

function stampedOne(
  model: FeedModel,
  ticket: Ticket,
  { id, document: derived }: Derived,
  { stored, uncertain, kept }: Compared,
): Derived {
  const document = "gone" in derived ? { ...derived, ...kept.get(id) } : derived;
  const tickets = changeTickets(ticket, digestsOf(model, document), stored.get(id), isCertain(uncertain, id));
  return { id, document: { ...document, [REGISTRY[model].idField]: id, ...tickets } };
}

const isCertain = (uncertain: ReadonlySet<string> | true, id: string) => uncertain !== true && !uncertain.has(id);
