import type { Client, estypes } from "@elastic/elasticsearch";
import { retryForever } from "@tranche/shared/search/retry-forever";
import { type IndexNotes, type Versions, versionsIn } from "./versions.ts";

/** The metadata of an index of a read model. */
export type IndexVersion = {
  index: string;
  /** The versions that it was created with. */
  created: Versions;
  /** Later versions that have written to it, too; undefined: none has. */
  also: Versions | undefined;
  /** Fields that were added to it later: documents that were not derived again since lack them. */
  incomplete: readonly string[];
  /** Its mapping. */
  fields: Readonly<Record<string, estypes.MappingProperty>>;
};

/** Reads indices, or those behind aliases. One that no longer exists is left out. */
export async function readIndexVersions(client: Client, index: readonly string[]): Promise<IndexVersion[]> {
  if (index.length === 0) return [];
  const answer = await retryForever(() =>
    client.indices.getMapping({ index: [...index], ignore_unavailable: true }, { ignore: [404] }),
  );
  // The answer to names none of which exists has `error` and `status` instead.
  return Object.entries(answer).flatMap(([name, entry]) =>
    typeof entry === "object" && "mappings" in entry ? [indexVersion(name, entry.mappings)] : [],
  );
}

function indexVersion(index: string, { _meta: notes, properties }: estypes.MappingTypeMapping): IndexVersion {
  const { also, incomplete } = Object(notes) as Partial<IndexNotes>;
  return {
    index,
    created: versionsIn(notes),
    also: also && versionsIn(also),
    incomplete: Array.isArray(incomplete) ? incomplete : [],
    fields: properties ?? {},
  };
}
