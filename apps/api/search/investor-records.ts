import type { StoredMerge, StoredRecord } from "@tranche/shared/domain/records/stored";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { withMerges } from "@tranche/shared/engines/search/records";
import type { Search } from "./search.ts";

/** More merges than these are not applied. */
const MAX_MERGES = 10_000;

/** The investors with these ids, with their merges. Unknown and deleted ones are left out. */
export async function investorRecords(
  { search, names }: { search: Search; names: IndexNames },
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredRecord<"investor">>> {
  const records = { query: { terms: { id: [...ids] } }, size: ids.length, track_total_hits: false };
  const filter = [{ term: { type: "investor" } }, { terms: { record_id: [...ids] } }];
  const [stored, merges] = await Promise.all([
    search<StoredRecord<"investor">>(names.record("investor"), records),
    search<StoredMerge>(names.record("merge"), {
      query: { bool: { filter } },
      size: MAX_MERGES,
      track_total_hits: false,
    }),
  ]);
  const ofRecord = Map.groupBy(merges.documents, (merge) => merge.record_id);
  return withMerges("investor", stored.documents, ofRecord);
}
