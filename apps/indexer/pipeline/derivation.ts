import type { FeedModel } from "@tranche/shared/feed/keys";
import type { Ticket } from "@tranche/shared/ticket/ticket-clock";
import type { DocumentIds } from "../affected/affected-documents.ts";
import { readTargets, type Targets } from "../write/targets.ts";
import { type Batch, deriveBatch } from "./derive-batch.ts";
import type { PipelineParts } from "./parts.ts";

/**
 * Documents derived from the records as they were after the ticket was taken, and the indices to write them to. `ids`: what the note of the
 * ticket names. `uncertain`: those of them whose earlier state is not certain.
 */
export type Derivation = {
  ticket: Ticket;
  ids: Record<FeedModel, readonly string[]>;
  uncertain: Record<FeedModel, ReadonlySet<string> | true>;
  targets: Targets;
  batch: Batch;
};

/** `again`: these documents may have been written before by a writer that died, or whose note Redis lost. They count as changed. */
export type DeriveOptions = { again?: boolean };

/**
 * Derives documents afresh: first the ticket, then the targets, then the records. The order keeps documents correct when several
 * workers derive the same one: the holder of the highest ticket reads every record that was refreshed before, and its write wins.
 * docs/decisions/0020-the-write-protocol.md has the proof.
 */
export async function deriveAfresh(
  parts: PipelineParts,
  documents: DocumentIds,
  { again = false }: DeriveOptions = {},
): Promise<Derivation> {
  const ids = { funding: [...documents.rounds], signals: [...documents.companies] };
  const { ticket, shared } = await parts.notes.take(ids);
  const targets = await readTargets(parts, ticket);
  // The index that a rebuild fills may show something else than the live one, with a higher ticket of its change.
  const uncertain = again || targets.filling ? ({ funding: true, signals: true } as const) : shared;
  return { ticket, ids, uncertain, targets, batch: await deriveBatch(parts, ticket, documents) };
}
