import type { Client } from "@elastic/elasticsearch";
import type { GoneDocument } from "@tranche/shared/documents/funding";
import { bulkLines, sendBulk } from "@tranche/shared/search/bulk";
import type { IndexNames, ReadModel } from "@tranche/shared/search/indices";
import { patiently } from "@tranche/shared/search/patiently";
import { readTargets } from "./targets.ts";

/** A derived document under its id; a gone one says that there is nothing to show. */
export type Derived = { id: string; document: object | GoneDocument };

export type Publication = {
  written: number;
  /** A newer derivation was there. */
  superseded: number;
  rejected: { id: string; model: ReadModel; reason: string }[];
};

/** A derived document, ready to be sent: `lines` are all that is sent of it. */
export type Outgoing = { id: string; lines: Buffer };

type Parts = { client: Client; names: IndexNames; onTrouble: (error: Error, attempt: number) => void };

/**
 * Writes derived documents to the given indices of a read model, one after another in their order, and makes them visible
 * unless told not to.
 * The ticket is their external version: of two derivations of a document the one that saw more stays.
 */
export async function publish(
  parts: Parts,
  model: ReadModel,
  indices: readonly string[],
  ticket: number,
  documents: readonly Derived[],
  options: { refresh: boolean } = { refresh: true },
): Promise<Publication> {
  const publications: Publication[] = [];
  for (const index of indices) {
    publications.push(await writeTo(parts, model, index, outgoing(parts.names, index, ticket, documents)));
    if (options.refresh) {
      await patiently(
        () => parts.client.indices.refresh({ index: parts.names.ownAlias(index) }, { ignore: [404] }),
        parts.onTrouble,
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
export function outgoing(names: IndexNames, index: string, ticket: number, documents: Iterable<Derived>): Outgoing[] {
  const alias = names.ownAlias(index);
  const version = { number: ticket, type: "external" } as const;
  return Array.from(documents, ({ id, document }) => ({
    id,
    lines: bulkLines({ index: alias, id, document, version }),
  }));
}

/** Writes to one index of a read model what was made ready for it. */
export async function writeTo(
  parts: Parts,
  model: ReadModel,
  index: string,
  documents: readonly Outgoing[],
): Promise<Publication> {
  const publication: Publication = { written: 0, superseded: 0, rejected: [] };
  let open = documents;
  while (open.length > 0) {
    const results = await sendBulk(
      parts.client,
      open.map(({ lines }) => lines),
      { requireAlias: true, onTrouble: parts.onTrouble },
    );
    const missed: Outgoing[] = [];
    results.forEach((result, position) => {
      const item = open[position]!;
      if (result === "done") publication.written++;
      else if (result === "superseded") publication.superseded++;
      else if (result === "alias_missing") missed.push(item);
      else publication.rejected.push({ id: item.id, model, reason: result.rejected });
    });
    // An index that has lost its role needs nothing more; one that still has it is tried again.
    open = missed.length > 0 && (await readTargets(parts))[model].includes(index) ? missed : [];
  }
  return publication;
}
