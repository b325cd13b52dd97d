import type { Client } from "@elastic/elasticsearch";
import { overlaid } from "../../domain/records/overlay.ts";
import type { RecordType } from "../../domain/records/record.ts";
import type { StoredMerge, StoredRecord } from "../../domain/records/stored.ts";
import { chunks } from "./chunks.ts";
import type { IndexNames } from "./index-names.ts";
import type { Merges } from "./merges.ts";
import { type OnRetry, retryForever, wholeAnswer } from "./retry-forever.ts";

/** Elasticsearch returns at most this many hits of a search. */
const IDS_AT_ONCE = 10_000;

type Parts = { client: Client; names: IndexNames; onRetry?: OnRetry };

/** The records of these ids with their merges on top, without deleted and unknown ones. */
export async function readRecords<T extends RecordType>(
  parts: Parts,
  merges: Merges,
  type: T,
  ids: Iterable<string>,
): Promise<Map<string, StoredRecord<T>>> {
  const wanted = [...ids];
  const [stored, ofTheirs] = await Promise.all([storedById<T>(parts, type, wanted), merges.of(type, wanted)]);
  return withMerges(type, stored, ofTheirs);
}

/** Records with their merges on top, including records that only merges name, without deleted ones. */
export function withMerges<T extends RecordType>(
  type: T,
  stored: Iterable<StoredRecord<T>>,
  merges: ReadonlyMap<string, readonly StoredMerge[]>,
): Map<string, StoredRecord<T>> {
  const found = new Map<string, StoredRecord<T>>();
  const unstored = new Map(merges);
  const add = (record: StoredRecord<T> | undefined) => {
    if (record && !record.deleted && record.body) found.set(record.id, record);
  };
  for (const record of stored) {
    const ofIt = merges.get(record.id);
    unstored.delete(record.id);
    add(ofIt ? overlaid(type, record, ofIt) : record);
  }
  for (const ofIt of unstored.values()) add(overlaid<T>(type, undefined, ofIt));
  return found;
}

/**
 * The records of these ids as they are stored and refreshed, in no order, deleted ones too, without their merges. It is a search: an
 * `mget` of the same ids takes Elasticsearch half as long again.
 */
export async function storedById<T extends RecordType>(
  { client, names, onRetry }: Parts,
  type: T,
  ids: readonly string[],
): Promise<StoredRecord<T>[]> {
  const found: StoredRecord<T>[] = [];
  for (const values of chunks(ids, IDS_AT_ONCE)) {
    const request = { index: names.record(type), query: { ids: { values } }, sort: ["_doc"], size: values.length };
    const answer = await retryForever(
      async () => wholeAnswer(await client.search<StoredRecord<T>>({ ...request, track_total_hits: false })),
      onRetry,
    );
    for (const { _source } of answer.hits.hits) found.push(_source!);
  }
  return found;
}
