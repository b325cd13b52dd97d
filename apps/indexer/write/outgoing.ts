import type { GoneDocument } from "@tranche/read-models/documents/funding";
import { type BulkDocument, type BulkPart, bulkParts } from "@tranche/shared/engines/search/bulk-part";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import type { TargetVersions } from "./target-versions.ts";

/** A derived document and its id. A gone document, a tombstone, replaces one that has nothing to show. */
export type Derived = { id: string; document: object | GoneDocument };

/** Derived documents, ready to send to any index: their ticket, their ids, and the bulk requests in the same order. */
export type Outgoing = { ticket: Ticket; ids: readonly string[]; parts: readonly BulkPart[] };

/** The same documents for each of some indices, in the order in which these are written to. */
export type OutgoingTo = ReadonlyMap<string, Outgoing>;

/** Serialises derived documents. It takes one document at a time, so that a lazy input is never in memory as a whole. */
export function outgoing(ticket: Ticket, documents: Iterable<Derived>): Outgoing {
  const version = { number: ticket, type: "external" } as const;
  const ids: string[] = [];
  function* items(): Generator<BulkDocument> {
    for (const { id, document } of documents) {
      ids.push(id);
      yield { id, document, version };
    }
  }
  return { ticket, ids, parts: bulkParts(items()) };
}

/** Serialises derived documents for indices, each in the shape that it takes. Indices that take every field share the bytes. */
export function outgoingTo(
  versions: Pick<TargetVersions, "leftOut">,
  indices: readonly string[],
  ticket: Ticket,
  documents: Iterable<Derived>,
): OutgoingTo {
  const shapes = indices.map((index) => ({ index, leftOut: versions.leftOut(index) }));
  if (shapes.every(({ leftOut }) => leftOut.size === 0)) {
    const whole = outgoing(ticket, documents);
    return new Map(indices.map((index) => [index, whole]));
  }
  const all = [...documents];
  return new Map(shapes.map(({ index, leftOut }) => [index, outgoing(ticket, without(leftOut, all))]));
}

function* without(leftOut: ReadonlySet<string>, documents: readonly Derived[]): Generator<Derived> {
  for (const { id, document } of documents) {
    yield { id, document: Object.fromEntries(Object.entries(document).filter(([field]) => !leftOut.has(field))) };
  }
}
