import type { Origin } from "@tranche/shared/protocol/queue/enqueue";
import type { ParsedRecord } from "@tranche/shared/domain/records/parse";
import type { RecordType } from "@tranche/shared/domain/records/record";

/** Ids that several records of one call have. */
export type RepeatedIds = {
  /** The records that have the id of an earlier record. */
  count: number;
  /** Some of the ids, with the first places where each one is. */
  examples: { type: RecordType; id: string; at: Origin[] }[];
  /** The number of different ids after which new ones are no longer remembered, where there were so many. */
  among_first: number | null;
};

/** These ids take some 50 MB. A mapping whose ids are not unique repeats the first ones, too. */
const MAX_IDS = 250_000;
const MAX_PLACES = 10;
const MOST_SHOWN = 10;

/**
 * Notices upserts that replace an earlier record of the same call. Merges and deletes are meant for existing records, and of records with
 * different versions the highest counts, so neither is a mistake. `maxIds`: how many different ids are remembered.
 */
export function createRepeatedIds(maxIds = MAX_IDS) {
  const first = new Map<string, Origin | undefined>();
  const examples = new Map<string, RepeatedIds["examples"][number]>();
  let count = 0;
  let forgotten = false;
  return {
    add({ type, id, version, body }: ParsedRecord, origin?: Origin): void {
      // A merge with a version is on top of the upsert with the same one, in whichever order they come.
      if (body === null || (version !== undefined && body === undefined)) return;
      const key = `${type} ${id} ${version ?? ""} ${observedDay(body)}`;
      if (!first.has(key)) {
        if (first.size < maxIds) first.set(key, origin);
        else forgotten = true;
        return;
      }
      // A merge has no body.
      if (body === undefined) return;
      count++;
      if (!examples.has(key) && examples.size < MOST_SHOWN)
        examples.set(key, { type, id, at: [first.get(key) ?? []].flat() });
      const { at } = examples.get(key) ?? {};
      if (at && origin && at.length < MAX_PLACES) at.push(origin);
    },
    found: (): RepeatedIds => ({ count, examples: [...examples.values()], among_first: forgotten ? maxIds : null }),
  };
}

/** The day that a company was observed on. Its other observations are no repetition. */
const observedDay = (body: object | undefined): string =>
  body !== undefined && "observed_at" in body ? String(body.observed_at) : "";
