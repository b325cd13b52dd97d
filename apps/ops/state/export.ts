import type { RecordType } from "@tranche/shared/records/record";
import type { StoredRecord } from "@tranche/shared/records/stored";
import { patiently, wholeAnswer } from "@tranche/shared/search/patiently";
import type { estypes } from "@elastic/elasticsearch";
import type { Engines } from "../engines/connect.ts";

const PAGE = 2000;
const KEEP_ALIVE = "5m";

/**
 * The records of a type as they were at one moment, in the order of their ids, in the form that ingest takes; deleted ones are left
 * out. Each carries its version, so that ingesting it where it came from changes nothing.
 */
export async function* exportRecords({ client, names }: Engines, type: RecordType): AsyncGenerator<object[]> {
  const { id } = await patiently(() => client.openPointInTime({ index: names.record(type), keep_alive: KEEP_ALIVE }));
  try {
    let after: estypes.SortResults | undefined;
    for (;;) {
      const answer = await patiently(async () =>
        wholeAnswer(
          await client.search<StoredRecord>({
            pit: { id, keep_alive: KEEP_ALIVE },
            query: { bool: { must_not: [{ term: { deleted: true } }] } },
            sort: [{ id: "asc" }],
            _source: ["version", "body"],
            size: PAGE,
            track_total_hits: false,
            ...(after ? { search_after: after } : {}),
          }),
        ),
      );
      const { hits } = answer.hits;
      if (hits.length > 0) yield hits.map(({ _source }) => ({ type, version: _source!.version, ..._source!.body }));
      if (hits.length < PAGE) return;
      after = hits.at(-1)!.sort;
    }
  } finally {
    await client.closePointInTime({ id }).catch(() => {});
  }
}
