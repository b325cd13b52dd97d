import { readIndexVersions } from "@tranche/read-models/indices/index-versions";
import { isFeedField, fieldsOf } from "@tranche/read-models/indices/mappings";
import type { Difference } from "@tranche/shared/protocol/rebuild/verification";
import type { PipelineParts } from "../pipeline/parts.ts";

/**
 * Leaves out of differences what two versions of Tranche side by side explain: fields that this version does not know, and fields that
 * the index got only after some of its documents were written. A rebuild fills those in; `ops status` says that it is due.
 */
export async function withoutOtherVersions(
  { client }: Pick<PipelineParts, "client">,
  index: string,
  found: readonly Difference[],
): Promise<Difference[]> {
  if (found.every(({ kind }) => kind !== "stale")) return [...found];
  const incomplete = new Set((await readIndexVersions(client, [index])).flatMap((version) => version.incomplete));
  return found.flatMap((difference) => {
    if (difference.kind !== "stale") return [difference];
    const known = fieldsOf(difference.model);
    const fields = difference.fields.filter((field) => field in known && !incomplete.has(field) && !isFeedField(field));
    return fields.length > 0 ? [{ ...difference, fields }] : [];
  });
}
