import type { Client } from "@elastic/elasticsearch";
import type { GoneDocument } from "@tranche/shared/documents/funding";
import { type BulkItem, writeBulk } from "@tranche/shared/search/bulk";
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

/**
 * Writes derived documents to the given indices of a read model, one after another in their order, and makes them visible
 * unless told not to.
 * The ticket is their external version: of two derivations of a document the one that saw more stays.
 */
export async function publish(
  parts: { client: Client; names: IndexNames; onTrouble: (error: Error, attempt: number) => void },
  model: ReadModel,
  indices: readonly string[],
  ticket: number,
  documents: readonly Derived[],
  options: { refresh: boolean } = { refresh: true },
): Promise<Publication> {
  const { client, names, onTrouble } = parts;
  const publication: Publication = { written: 0, superseded: 0, rejected: [] };
  for (const index of indices) {
    let open = documents;
    while (open.length > 0) {
      const items = open.map(({ id, document }): BulkItem => ({
        index: names.ownAlias(index),
        id,
        document,
        version: { number: ticket, type: "external" },
      }));
      const results = await writeBulk(client, items, { requireAlias: true, onTrouble });
      const missed: Derived[] = [];
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
    if (options.refresh) {
      await patiently(() => client.indices.refresh({ index: names.ownAlias(index) }, { ignore: [404] }), onTrouble);
    }
  }
  return publication;
}
