import type { RecordType } from "@tranche/shared/records/record";
import { isOnTop, overlaid } from "@tranche/shared/records/overlay";
import type { StoredMerge, StoredRecord } from "@tranche/shared/records/stored";
import { openMerges } from "@tranche/shared/search/merges";
import { retryForever, wholeAnswer } from "@tranche/shared/search/retry-forever";
import type { estypes } from "@elastic/elasticsearch";
import type { Engines } from "../engines/connect.ts";

const PAGE = 2000;
const KEEP_ALIVE = "5m";

/**
 * The records of a type in the order of their ids, in the form that ingest accepts. Merges are applied; merges without a record are
 * exported as merges. Deleted records are left out. Each record has its version, so ingesting it again changes nothing.
 */
export async function* exportRecords(engines: Engines, type: RecordType): AsyncGenerator<object[]> {
  const { client, names } = engines;
  const { id } = await retryForever(() =>
    client.openPointInTime({ index: names.record(type), keep_alive: KEEP_ALIVE }),
  );
  const merges = await openMerges(engines);
  // Also deleted ones, because merges may restore them.
  const query = merges.any ? { match_all: {} } : { bool: { must_not: [{ term: { deleted: true } }] } };
  try {
    let after: estypes.SortResults | undefined;
    for (;;) {
      const answer = await retryForever(async () =>
        wholeAnswer(
          await client.search<StoredRecord>({
            pit: { id, keep_alive: KEEP_ALIVE },
            query,
            sort: [{ id: "asc" }],
            size: PAGE,
            track_total_hits: false,
            ...(after ? { search_after: after } : {}),
          }),
        ),
      );
      const { hits } = answer.hits;
      const stored = hits.map((hit) => hit._source!);
      const ofTheirs = await merges.of(
        type,
        stored.map((record) => record.id),
      );
      const lines = stored.flatMap((record) => exported(type, record, ofTheirs.get(record.id) ?? []));
      if (lines.length > 0) yield lines;
      if (hits.length < PAGE) return;
      after = hits.at(-1)!.sort;
    }
  } finally {
    await client.closePointInTime({ id }).catch(() => {});
  }
}

function exported(type: RecordType, stored: StoredRecord, merges: readonly StoredMerge[]): object[] {
  const record = overlaid(type, stored, merges);
  if (record?.body) return [{ type, version: record.version, ...record.body }];
  return merges
    .filter((merge) => isOnTop(merge, stored))
    .toSorted((a, b) => a.version - b.version)
    .map(({ record_id, version, fields }) => ({ type, op: "merge", version, id: record_id, ...fields }));
}
