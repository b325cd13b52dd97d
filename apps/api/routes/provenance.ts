import { overlaid } from "@tranche/shared/domain/records/overlay";
import type { RecordType } from "@tranche/shared/domain/records/record";
import type { StoredMerge, StoredRecord } from "@tranche/shared/domain/records/stored";
import type { ApiParts } from "./parts.ts";

/** Where the newest write of a record comes from: its set and run, and when it was enqueued. Null for records from before it was noted. */
type ShownProvenance = { provenance: { set: string | null; run: string; at: string } | null };

const MAX_MERGES = 1000;

/** The provenance of a record, which only the record itself has: documents are derived from several. */
export async function provenanceOf(
  { search, names }: Pick<ApiParts, "search" | "names">,
  type: RecordType,
  id: string,
): Promise<ShownProvenance> {
  const filter = [{ term: { type } }, { term: { record_id: id } }];
  const [stored, merges] = await Promise.all([
    search<StoredRecord>(names.record(type), { query: { ids: { values: [id] } }, size: 1, track_total_hits: false }),
    search<StoredMerge>(names.record("merge"), {
      query: { bool: { filter } },
      size: MAX_MERGES,
      track_total_hits: false,
    }),
  ]);
  return shownProvenance(overlaid(type, stored.documents[0], merges.documents));
}

/** `record`: with its merges on top. */
export function shownProvenance(record: Pick<StoredRecord, "from" | "updated_at"> | undefined): ShownProvenance {
  const from = record?.from;
  if (!record || !from) return { provenance: null };
  return { provenance: { set: from.set ?? null, run: from.run, at: record.updated_at } };
}
