import type { Client, estypes } from "@elastic/elasticsearch";
import { hashOf } from "../../domain/records/edges.ts";
import { RECORD_TYPES, type RecordType } from "../../domain/records/record.ts";
import { writeBulk } from "../../engines/search/bulk.ts";
import { assertWritten } from "../../engines/search/bulk-results.ts";
import { refreshed } from "../../engines/search/refreshed.ts";
import type { IndexNames } from "../../engines/search/index-names.ts";
import { retryForever, wholeAnswer } from "../../engines/search/retry-forever.ts";
import { searchAll, searchAllHits } from "../../engines/search/search-all.ts";

/** A record that came with a set. It is stored beside its record, one document for each set that has it, so a plain write changes nothing of it. */
type SetRecord = {
  id: string;
  set: string;
  type: RecordType;
  record_id: string;
  /** The newest run of the set that had it. */
  run: string;
};

type SetRecordKey = Pick<SetRecord, "type" | "record_id">;

/** A record of a set, as it was read: it is removed only as long as no later run has it. */
export type FoundSetRecord = SetRecordKey & { id: string; unchangedSince: { seqNo: number; primaryTerm: number } };

export type SetRecords = ReturnType<typeof createSetRecords>;

type Buckets<T> = { buckets: ({ key: string; doc_count: number } & T)[] };
type BySet = { sets: Buckets<{ types: Buckets<unknown> }> };
const BY_SET = {
  sets: { terms: { field: "set", size: 1000, order: { _key: "asc" } }, aggs: { types: { terms: { field: "type" } } } },
} as const;

const PAGE = 500;
const IDS_AT_ONCE = 10_000;

/** The records of all sets. */
export function createSetRecords(client: Client, names: Pick<IndexNames, "setRecords">) {
  const index = names.setRecords;
  const idOf = (set: string, { type, record_id }: SetRecordKey) => hashOf([set, type, record_id]);
  const notOf = (set: string, run: string): estypes.QueryDslQueryContainer => ({
    bool: { filter: [{ term: { set } }], must_not: [{ term: { run } }] },
  });

  const write = async (items: Parameters<typeof writeBulk>[1]): Promise<void> =>
    assertWritten(await writeBulk(client, items, { aliasExpected: () => Promise.resolve(true) }), "records of a set");

  /** The number of records of each type. */
  const counted = async (query: estypes.QueryDslQueryContainer): Promise<Record<RecordType, number>> => {
    await refreshed(client, index);
    const count = async (type: RecordType) => {
      const filter = { bool: { filter: [query, { term: { type } }] } };
      return (await retryForever(async () => wholeAnswer(await client.count({ index, query: filter })))).count;
    };
    const counts = await Promise.all(RECORD_TYPES.map(async (type) => [type, await count(type)] as const));
    return Object.fromEntries(counts) as Record<RecordType, number>;
  };

  return {
    /** Notes that a run of the set has these records. */
    async note(set: string, run: string, records: readonly SetRecordKey[]): Promise<void> {
      const items = records.map(({ type, record_id }) => {
        const id = idOf(set, { type, record_id });
        const document: SetRecord = { id, set, type, record_id, run };
        return { index, id, document };
      });
      await write([...new Map(items.map((item) => [item.id, item])).values()]);
    },
    /** How many records of each type each set has, of the first 1,000 sets by name; or only the set `named`. */
    async bySet(named?: string): Promise<Map<string, Partial<Record<RecordType, number>>>> {
      await refreshed(client, index);
      const query = named === undefined ? {} : { query: { term: { set: named } } };
      const found = wholeAnswer(await client.search<unknown, BySet>({ index, size: 0, aggs: BY_SET, ...query }));
      return new Map(
        found.aggregations!.sets.buckets.map(({ key, types }) => [
          key,
          Object.fromEntries(types.buckets.map((type) => [type.key, type.doc_count])),
        ]),
      );
    },
    /** The records of a set, by type. */
    count: (set: string) => counted({ term: { set } }),
    /** Those that this run of it did not have. */
    countMissing: (set: string, run: string) => counted(notOf(set, run)),
    /** The same, page by page. */
    async *missing(set: string, run: string): AsyncGenerator<FoundSetRecord[]> {
      await refreshed(client, index);
      const request = { index, query: notOf(set, run), sort: ["id"], source: true, pageSize: PAGE };
      for await (const hits of searchAllHits<SetRecord>(client, request)) {
        yield hits.map(({ _source, _seq_no, _primary_term }) => ({
          id: _source!.id,
          type: _source!.type,
          record_id: _source!.record_id,
          unchangedSince: { seqNo: _seq_no!, primaryTerm: _primary_term! },
        }));
      }
    },
    /** The sets of these records of one type, by the records' ids. Sees what was noted before. */
    async setsOf(type: RecordType, ids: readonly string[]): Promise<Map<string, string[]>> {
      await refreshed(client, index);
      const found = new Map<string, string[]>();
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
        const filter: estypes.QueryDslQueryContainer[] = [
          { term: { type } },
          { terms: { record_id: ids.slice(from, from + IDS_AT_ONCE) } },
        ];
        const request = { index, query: { bool: { filter } }, sort: ["id"], source: ["record_id", "set"] };
        for await (const page of searchAll<SetRecord>(client, request))
          for (const { record_id, set } of page) found.set(record_id, [...(found.get(record_id) ?? []), set]);
      }
      return found;
    },
    /** Takes records out of their set, unless a later run has them. */
    async remove(records: readonly FoundSetRecord[]): Promise<void> {
      await write(records.map(({ id, unchangedSince }) => ({ index, id, document: null, unchangedSince })));
    },
  };
}
