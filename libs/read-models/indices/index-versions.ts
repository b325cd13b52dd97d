import type { Client, estypes } from "@elastic/elasticsearch";
import { retryForever } from "@tranche/shared/engines/search/retry-forever";
import { type IndexMeta, type Versions, versionsIn } from "./versions.ts";

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
  return index.length === 0 ? [] : retryForever(() => askForIndexVersions(client, index));
}

/** The same without a second try. */
export async function askForIndexVersions(
  client: Client,
  index: readonly string[],
  options: { requestTimeout?: number } = {},
): Promise<IndexVersion[]> {
  const request = { index: [...index], ignore_unavailable: true };
  const answer = await client.indices.getMapping(request, { ignore: [404], ...options });
  // The answer to names none of which exists has `error` and `status` instead.
  return Object.entries(answer).flatMap(([name, entry]) =>
    typeof entry === "object" && "mappings" in entry ? [indexVersion(name, entry.mappings)] : [],
  );
}

function indexVersion(index: string, { _meta: notes, properties }: estypes.MappingTypeMapping): IndexVersion {
  const { also, incomplete } = Object(notes) as Partial<IndexMeta>;
  return {
    index,
    created: versionsIn(notes),
    also: also && versionsIn(also),
    incomplete: Array.isArray(incomplete) ? incomplete : [],
    fields: properties ?? {},
  };
}
