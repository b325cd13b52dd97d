import type { Client } from "@elastic/elasticsearch";
import type { GoneDocument } from "@tranche/read-models/documents/funding";
import { sendBulk } from "@tranche/shared/search/bulk";
import { type BulkItem, type BulkPart, bulkParts } from "@tranche/shared/search/bulk-part";
import type { IndexNames, ReadModel } from "@tranche/shared/search/index-names";
import { type OnRetry, retryForever } from "@tranche/shared/search/retry-forever";
import type { Ticket } from "@tranche/shared/ticket/ticket-clock";
import { readTargets } from "./targets.ts";

/** A derived document under its id; a gone one says that there is nothing to show. */
export type Derived = { id: string; document: object | GoneDocument };

export type Publication = {
  written: number;
  /** A newer derivation was there. */
  superseded: number;
  rejected: { id: string; model: ReadModel; reason: string }[];
};

/** Derived documents, ready to be sent: their ticket, their ids, and in the same order what is sent of them. */
export type Outgoing = { ticket: Ticket; ids: string[]; parts: BulkPart[] };

type Parts = { client: Client; names: IndexNames; onRetry: OnRetry };

/**
 * Writes derived documents to the given indices of a read model, one after another in their order, and makes them visible
 * unless told not to.
 * The ticket is their external version: of two derivations of a document the one that saw more stays.
 */
export async function publish(
  parts: Parts,
  model: ReadModel,
  indices: readonly string[],
  ticket: Ticket,
  documents: readonly Derived[],
  options: { refresh: boolean } = { refresh: true },
): Promise<Publication> {
  const publications: Publication[] = [];
  for (const index of indices) {
    publications.push(await writeTo(parts, model, index, outgoing(parts.names, index, ticket, documents)));
    if (options.refresh) {
      await retryForever(
        () => parts.client.indices.refresh({ index: parts.names.ownAlias(index) }, { ignore: [404] }),
        parts.onRetry,
      );
    }
  }
  return {
    written: publications.reduce((sum, { written }) => sum + written, 0),
    superseded: publications.reduce((sum, { superseded }) => sum + superseded, 0),
    rejected: publications.flatMap(({ rejected }) => rejected),
  };
}

/** Makes ready to be sent to an index what is derived; each document is let go when the next one is asked for. */
export function outgoing(names: IndexNames, index: string, ticket: Ticket, documents: Iterable<Derived>): Outgoing {
  const alias = names.ownAlias(index);
  const version = { number: ticket, type: "external" } as const;
  const ids: string[] = [];
  function* items(): Generator<BulkItem> {
    for (const { id, document } of documents) {
      ids.push(id);
      yield { index: alias, id, document, version };
    }
  }
  return { ticket, ids, parts: bulkParts(items()) };
}

/** Writes to one index of a read model what was made ready for it. */
export async function writeTo(
  parts: Parts,
  model: ReadModel,
  index: string,
  documents: Outgoing,
): Promise<Publication> {
  const publication: Publication = { written: 0, superseded: 0, rejected: [] };
  const results = await sendBulk(parts.client, documents.parts, {
    requireAlias: true,
    // An index that has lost its role needs nothing more; one that still has it is tried again.
    aliasExpected: async () => (await readTargets(parts, documents.ticket))[model].includes(index),
    onRetry: parts.onRetry,
  });
  results.forEach((result, position) => {
    if (result === "done") publication.written++;
    else if (result === "superseded") publication.superseded++;
    else if (result !== "alias_missing") {
      publication.rejected.push({ id: documents.ids[position]!, model, reason: result.rejected });
    }
  });
  return publication;
}
