import type { Client } from "@elastic/elasticsearch";
import { sendBulk } from "@tranche/shared/engines/search/bulk";
import type { IndexNames, ReadModel } from "@tranche/shared/engines/search/index-names";
import type { OnRetry } from "@tranche/shared/engines/search/retry-forever";
import type { Logger } from "@tranche/shared/process/logger";
import type { Outgoing, OutgoingTo } from "./outgoing.ts";
import type { TargetVersions } from "./target-versions.ts";
import { readTargets } from "./targets.ts";
import { whileTarget } from "./while-target.ts";
import { refreshed } from "@tranche/shared/engines/search/refreshed";

export type Publication = {
  /** How often a document was not written, because an index has a newer derivation. */
  superseded: number;
  rejected: { id: string; model: ReadModel; index: string; reason: string }[];
};

type Parts = {
  client: Client;
  names: IndexNames;
  versions: TargetVersions;
  onRetry: OnRetry;
  log: Pick<Logger, "warn">;
};

/**
 * Writes derived documents to indices of a read model, one index after another in the given order, and refreshes each index unless
 * `refresh` is false. The ticket is the external version: of two derivations of a document, the one with the higher ticket stays,
 * because it read newer records. An index that can't be written to is left out once it has lost its role; until then the next one
 * waits, because a swap to an index without these documents would show readers older ones.
 */
export async function publish(
  parts: Parts,
  model: ReadModel,
  documents: OutgoingTo,
  options: { refresh: boolean } = { refresh: true },
): Promise<Publication> {
  const publications: Publication[] = [];
  for (const [index, outgoing] of documents) {
    const publication = await whileTarget(parts, [index], async () => {
      const written = await writeTo(parts, model, index, outgoing);
      if (options.refresh) await refreshed(parts.client, parts.names.ownAlias(index), parts.onRetry);
      return written;
    });
    if (publication) publications.push(publication);
  }
  return {
    superseded: publications.reduce((sum, { superseded }) => sum + superseded, 0),
    rejected: publications.flatMap(({ rejected }) => rejected),
  };
}

/** Writes documents to one index of a read model. */
export async function writeTo(
  parts: Parts,
  model: ReadModel,
  index: string,
  documents: Outgoing,
): Promise<Publication> {
  const publication: Publication = { superseded: 0, rejected: [] };
  const results = await sendBulk(parts.client, documents.parts, {
    index: parts.names.ownAlias(index),
    requireAlias: true,
    // An index that has lost its role needs no more writes. A write to an index that still has its role is tried again.
    aliasExpected: async () => (await readTargets(parts, documents.ticket))[model].includes(index),
    onRetry: parts.onRetry,
  });
  results.forEach((result, position) => {
    if (result === "superseded") publication.superseded++;
    else if (result !== "done" && result !== "alias_missing") {
      publication.rejected.push({ id: documents.ids[position]!, model, index, reason: result.rejected });
    }
  });
  return publication;
}

/** The ids of the documents that were written, and those of `ids` that were not sent or that an index refused. */
export function writtenOf(
  ids: readonly string[],
  outgoing: OutgoingTo,
  rejected: Publication["rejected"],
): { written: string[]; left: string[] } {
  const refused = new Set(rejected.map(({ id }) => id));
  const written = [...outgoing.values()][0]!.ids.filter((id) => !refused.has(id));
  const there = new Set(written);
  return { written, left: ids.filter((id) => !there.has(id)) };
}
