import type { Ticket } from "@tranche/shared/ticket/ticket-clock";
import type { DocumentIds } from "../affected/affected-documents.ts";
import { readTargets, type Targets } from "../write/targets.ts";
import { type Batch, deriveBatch } from "./derive-batch.ts";
import type { PipelineParts } from "./parts.ts";

/** Documents as the records were after the ticket was taken, and the indices that they go to. */
export type Derivation = { ticket: Ticket; targets: Targets; batch: Batch };

/**
 * Derives documents afresh: first the ticket, then the targets, then the records. The order makes it right when several workers
 * derive the same document: whoever holds the highest ticket has seen every record refreshed before it was issued, and its write
 * wins. docs/decisions/0020-the-write-protocol.md has the proof.
 */
export async function deriveAfresh(parts: PipelineParts, documents: DocumentIds): Promise<Derivation> {
  const ticket = await parts.tickets.take();
  const targets = await readTargets(parts, ticket);
  return { ticket, targets, batch: await deriveBatch(parts, ticket, documents) };
}
