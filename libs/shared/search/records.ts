import type { Client } from "@elastic/elasticsearch";
import { overlaid } from "../records/overlay.ts";
import type { RecordType } from "../records/record.ts";
import type { StoredMerge, StoredRecord } from "../records/stored.ts";
import type { IndexNames } from "./index-names.ts";
import type { Merges } from "./merges.ts";
import { type OnRetry, PartialAnswer, retryForever } from "./retry-forever.ts";

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

/** The records of these ids as they are stored, deleted ones too, without their merges. */
export async function storedById<T extends RecordType>(
  { client, names, onRetry }: Parts,
  type: T,
  ids: readonly string[],
): Promise<StoredRecord<T>[]> {
  if (ids.length === 0) return [];
  const answer = await retryForever(async () => {
    // Only refreshed writes count. A realtime get would make the engine refresh.
    const whole = await client.mget<StoredRecord<T>>({
      index: names.record(type),
      ids: [...ids],
      realtime: false,
    });
    if (whole.docs.some((document) => "error" in document))
      throw new PartialAnswer(`some ${type} records could not be read`);
    return whole;
  }, onRetry);
  return answer.docs.flatMap((document) => ("_source" in document && document._source ? [document._source] : []));
}
