import type { Ticket } from "@tranche/shared/ticket/ticket-clock";
import type { DocumentIds } from "../affected/affected-documents.ts";
import { readTargets, type Targets } from "../write/targets.ts";
import { type Batch, deriveBatch } from "./derive-batch.ts";
import type { PipelineParts } from "./parts.ts";

/** Documents derived from the records as they were after the ticket was taken, and the indices to write them to. */
export type Derivation = { ticket: Ticket; targets: Targets; batch: Batch };

/**
 * Derives documents afresh: first the ticket, then the targets, then the records. The order keeps documents correct when several
 * workers derive the same one: the holder of the highest ticket reads every record that was refreshed before, and its write wins.
 * docs/decisions/0020-the-write-protocol.md has the proof.
 */
export async function deriveAfresh(parts: PipelineParts, documents: DocumentIds): Promise<Derivation> {
  const ticket = await parts.tickets.take();
  const targets = await readTargets(parts, ticket);
  return { ticket, targets, batch: await deriveBatch(parts, ticket, documents) };
}
