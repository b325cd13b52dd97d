import type { Client } from "@elastic/elasticsearch";
import type { GoneDocument } from "@tranche/read-models/documents/funding";
import { sendBulk } from "@tranche/shared/search/bulk";
import { type BulkItem, type BulkPart, bulkParts } from "@tranche/shared/search/bulk-part";
import type { IndexNames, ReadModel } from "@tranche/shared/search/index-names";
import type { OnRetry } from "@tranche/shared/search/retry-forever";
import type { Logger } from "@tranche/shared/log/logger";
import type { Ticket } from "@tranche/shared/ticket/ticket-clock";
import type { TargetVersions } from "./target-versions.ts";
import { readTargets } from "./targets.ts";
import { whileTarget } from "./while-target.ts";
import { refreshed } from "@tranche/shared/search/refreshed";

/** A derived document and its id. A gone document replaces one that has nothing to show. */
export type Derived = { id: string; document: object | GoneDocument };

export type Publication = {
  written: number;
  /** Not written, because the index has a newer derivation. */
  superseded: number;
  rejected: { id: string; model: ReadModel; index: string; reason: string }[];
};

/** Derived documents, ready to send: their ticket, their ids, and the bulk requests in the same order. */
export type Outgoing = { ticket: Ticket; ids: string[]; parts: BulkPart[] };

type Parts = {
  client: Client;
  names: IndexNames;
  versions: TargetVersions;
  onRetry: OnRetry;
  log: Pick<Logger, "warn">;
};

/**
 * Writes derived documents to the given indices of a read model, one index after another in the given order, and refreshes each
 * index unless `refresh` is false. The ticket is the external version: of two derivations of a document, the one with the higher
 * ticket stays, because it read newer records. An index that can't be written to is left out once it has lost its role; until then
 * the next one waits, because a swap to an index without these documents would show readers older ones.
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
    const shaped = inShape(documents, parts.versions.leftOut(index));
    const publication = await whileTarget(parts, [index], async () => {
      const written = await writeTo(parts, model, index, outgoing(parts.names, index, ticket, shaped));
      if (options.refresh) await refreshed(parts.client, parts.names.ownAlias(index), parts.onRetry);
      return written;
    });
    if (publication) publications.push(publication);
  }
  return {
    written: publications.reduce((sum, { written }) => sum + written, 0),
    superseded: publications.reduce((sum, { superseded }) => sum + superseded, 0),
    rejected: publications.flatMap(({ rejected }) => rejected),
  };
}

/** Documents without the fields that an index does not take. */
function* inShape(documents: Iterable<Derived>, leftOut: ReadonlySet<string>): Generator<Derived> {
  if (leftOut.size === 0) return yield* documents;
  for (const { id, document } of documents) {
    yield { id, document: Object.fromEntries(Object.entries(document).filter(([field]) => !leftOut.has(field))) };
  }
}

/** Serialises derived documents for one index. It takes one document at a time, so that a lazy input is never in memory as a whole. */
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

/** Writes documents that `outgoing` has prepared to one index of a read model. */
export async function writeTo(
  parts: Parts,
  model: ReadModel,
  index: string,
  documents: Outgoing,
): Promise<Publication> {
  const publication: Publication = { written: 0, superseded: 0, rejected: [] };
  const results = await sendBulk(parts.client, documents.parts, {
    requireAlias: true,
    // An index that has lost its role needs no more writes. A write to an index that still has its role is tried again.
    aliasExpected: async () => (await readTargets(parts, documents.ticket))[model].includes(index),
    onRetry: parts.onRetry,
  });
  results.forEach((result, position) => {
    if (result === "done") publication.written++;
    else if (result === "superseded") publication.superseded++;
    else if (result !== "alias_missing") {
      publication.rejected.push({ id: documents.ids[position]!, model, index, reason: result.rejected });
    }
  });
  return publication;
}
