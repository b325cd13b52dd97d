import type { Origin } from "@tranche/shared/protocol/queue/enqueue";
import type { ParsedRecord } from "@tranche/shared/domain/records/parse";
import type { RecordType } from "@tranche/shared/domain/records/record";
import { shownNumber } from "../terminal/numbers.ts";

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

/** `2 records have the id of an earlier record of this call; the last one counts: dur-1 (lines 2, 3, 4)`; undefined where none has. */
export function repeatedIdsText({ count, examples, among_first }: RepeatedIds): string | undefined {
  if (count === 0) return undefined;
  const [records, have] = count === 1 ? ["record", "has"] : ["records", "have"];
  const among = among_first === null ? "" : ` (looked for among the first ${shownNumber(among_first)} ids)`;
  const shown = examples.map(({ id, at }) => `${id} (${placesText(at)})`).join(", ");
  return `${shownNumber(count)} ${records} ${have} the id of an earlier record of this call; the last one counts${among}: ${shown}`;
}

/** `lines 2, 3, 4`, or with the files where there are several: `a.csv lines 2, 3, b.csv line 7`. */
function placesText(at: readonly Origin[]): string {
  const byFile = [...Map.groupBy(at, ({ file }) => file)];
  return byFile
    .map(([file, places]) => {
      const numbers = [...new Set(places.flatMap(({ lines, elements }) => (lines ?? elements ?? []).slice(0, 1)))];
      const noun = places[0]!.elements ? "element" : "line";
      const text = `${noun}${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")}`;
      return byFile.length > 1 ? `${file} ${text}` : text;
    })
    .join(", ");
}

/** The day that a company was observed on. Its other observations are no repetition. */
const observedDay = (body: object | undefined): string =>
  body !== undefined && "observed_at" in body ? String(body.observed_at) : "";
