import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import type { DeadLetter } from "@tranche/shared/protocol/queue/queues";
import type { FirstStage } from "@tranche/shared/engines/search/index-names";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { DocumentIds } from "../read/affected-documents.ts";
import { type Stamp, createStamp } from "./stamped.ts";
import { readKept } from "./kept.ts";
import { readSources } from "../read/document-sources.ts";
import { MOST_LISTED } from "../write/changes.ts";
import { type Derived, type OutgoingTo, outgoingTo } from "../write/outgoing.ts";
import { readTargets } from "../write/targets.ts";
import { derive } from "./derive-batch.ts";
import type { PipelineParts } from "./parts.ts";

/** Documents that are derived and ready to be written. The note of the ticket names `ids`. */
export type Derivation = {
  ticket: Ticket;
  ids: Record<FeedModel, readonly string[]>;
  documents: Record<FirstStage, DerivedDocuments>;
  deadLetters: DeadLetter[];
};

/** `few`: the documents without the tickets of their changes, if they are few enough to list what they change. */
type DerivedDocuments = { outgoing: OutgoingTo; few: readonly Derived[] | undefined };

/** `again`: these documents may have been written before by a writer that died, or whose note Redis lost. They count as changed. */
export type DeriveOptions = { again?: boolean };

/**
 * Derives documents afresh, which denormalises records: first the ticket, then the targets, then the records. The order keeps documents correct when several
 * workers derive the same one: the holder of the highest ticket reads every record that was refreshed before, and its write wins.
 * docs/decisions/0020-the-write-protocol.md has the proof. A large batch is kept only as bytes, because V8 would copy its objects while it
 * waits for Elasticsearch.
 */
export async function deriveAfresh(
  parts: PipelineParts,
  documents: DocumentIds,
  { again = false }: DeriveOptions = {},
): Promise<Derivation> {
  const ids = { funding: [...documents.rounds], companies: [...documents.companies] };
  const { ticket, shared } = await parts.pendingWrites.take(ids);
  const targets = await readTargets(parts, ticket);
  const compare = (model: FirstStage) => {
    // The index that a rebuild fills may show something else than the live one, with a higher ticket of its change.
    const uncertain = again || targets.filling ? true : shared[model];
    return createStamp(parts, model, targets[model].at(-1)!, ticket, ids[model], uncertain);
  };
  const [sources, funding, companies] = await Promise.all([
    readSources(parts, ticket, documents),
    compare("funding"),
    compare("companies"),
  ]);
  const deadLetters: DeadLetter[] = [];
  const made = async (model: FirstStage, stamp: Stamp): Promise<DerivedDocuments> => {
    const kept = await readKept(parts, model, targets[model].at(-1)!, ids[model], sources);
    const derived = derive(parts, model, ids[model], sources, deadLetters);
    const few = ids[model].length <= MOST_LISTED ? [...derived] : undefined;
    return { few, outgoing: outgoingTo(parts.versions, targets[model], ticket, stamp(few ?? derived, kept)) };
  };
  return {
    ticket,
    ids,
    documents: { funding: await made("funding", funding), companies: await made("companies", companies) },
    deadLetters,
  };
}
