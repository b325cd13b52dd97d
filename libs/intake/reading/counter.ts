import { closestField } from "@tranche/shared/domain/records/fields";
import type { Origin } from "@tranche/shared/protocol/queue/enqueue";
import type { ParsedRecord, RecordNote } from "@tranche/shared/domain/records/parse";
import { RECORD_TYPES, type RecordType } from "@tranche/shared/domain/records/record";
import { RECORD_FIELDS } from "@tranche/shared/domain/records/schemas";
import type { SourceItem } from "../sources/item.ts";
import type { Existing } from "./existing.ts";
import type { Unfinished } from "./file-progress.ts";
import { createRepeatedIds } from "./repeated-ids.ts";
import { type IngestSummary, MAX_EXAMPLES } from "./summary.ts";

const NOTHING_EXISTED: Existing = { replaced: 0, merged: 0, deleted: 0, unchanged: 0, kept: 0, waiting: 0 };

/** Names are counted up to this many different ones, so that a wrong column cannot fill the memory. */
const MAX_NAMES = 1000;

/** A name that goes into a run is recognised by its beginning; a row may have one of a megabyte. */
const MAX_LENGTH = 200;
const cut = (name: string) => (name.length <= MAX_LENGTH ? name : `${name.slice(0, MAX_LENGTH)}…`);

/** Counts names, up to MAX_NAMES different ones. */
function createNames() {
  const seen = new Map<string, number>();
  let total = 0;
  return {
    has: (name: string) => seen.has(cut(name)),
    add: (whole: string) => {
      const name = cut(whole);
      total++;
      if (seen.has(name) || seen.size < MAX_NAMES) seen.set(name, (seen.get(name) ?? 0) + 1);
    },
    total: () => total,
    mostFrequent: (limit: number): Record<string, number> =>
      Object.fromEntries([...seen].toSorted((a, b) => b[1] - a[1]).slice(0, limit)),
  };
}

const byColumn = (columns: ReadonlyMap<string, ReturnType<typeof createNames>>) =>
  Object.fromEntries(
    [...columns].map(([column, texts]) => [
      column,
      { count: texts.total(), examples: texts.mostFrequent(MAX_EXAMPLES) },
    ]),
  );

export type IngestCounter = ReturnType<typeof createIngestCounter>;

/**
 * Counts what goes by. `onlyNew`: the first record with an id stays, and the others are counted as existing. `remembers`: how many ids are
 * remembered, to notice those that come again.
 */
export function createIngestCounter({
  onlyNew = false,
  remembers,
}: { onlyNew?: boolean; remembers?: number | undefined } = {}) {
  const enqueued = Object.fromEntries(RECORD_TYPES.map((type) => [type, 0])) as Record<RecordType, number>;
  const counts = {
    files: 0,
    read: 0,
    with_records: 0,
    refused: 0,
    skipped: 0,
    broken_files: 0,
    deletes: 0,
    merges: 0,
    given: 0,
    taken: 0,
  };
  const names: Record<RecordNote["kind"], ReturnType<typeof createNames>> = {
    unknown_country: createNames(),
    unknown_deal_type: createNames(),
    unknown_field: createNames(),
  };
  let existing: Existing = NOTHING_EXISTED;
  const differing = createNames();
  const duplicateKeys = createNames();
  const repeatedIds = createRepeatedIds(remembers);
  const unreadable = new Map<string, ReturnType<typeof createNames>>();
  const coarseDates = new Map<string, ReturnType<typeof createNames>>();

  const change = (record: ParsedRecord, by: 1 | -1) => {
    enqueued[record.type] += by;
    if (record.body === null) counts.deletes += by;
    if (record.merge) counts.merges += by;
    counts[record.version === undefined ? "taken" : "given"] += by;
  };

  const rows = () => ({
    read: counts.read,
    with_records: counts.with_records,
    refused: counts.refused,
    skipped: counts.skipped,
  });

  return {
    counts,
    rows,
    /** A row, line or element that was read. */
    row: (item: SourceItem, isRefused: boolean) => {
      counts.read++;
      counts[isRefused ? "refused" : item.ok && item.skipped ? "skipped" : "with_records"]++;
      for (const note of (item.ok && item.notes) || []) {
        if (note.kind === "differing") differing.add(note.field);
        else if (note.kind === "duplicate_key") {
          if (!isRefused) duplicateKeys.add(note.key);
        } else {
          const columns = note.kind === "unreadable" ? unreadable : coarseDates;
          if (!columns.has(note.column)) columns.set(note.column, createNames());
          columns.get(note.column)!.add(note.text);
        }
      }
    },
    /** A record that is enqueued; `again`: one that was, with more in it. `origin`: its location. */
    enqueued: (record: ParsedRecord, again = false, origin?: Origin) => {
      for (const { kind, value } of record.notes) {
        const name = kind === "unknown_field" ? `${record.type}.${value}` : value;
        if (!again || !names[kind].has(name)) names[kind].add(name);
      }
      if (again) return;
      if (!onlyNew) repeatedIds.add(record, origin);
      change(record, 1);
    },
    /** A record that was counted as enqueued, and is left out after all. */
    leftOut: (record: ParsedRecord) => change(record, -1),
    existing: (found: Existing) => void (existing = found),
    total: () => Object.values(enqueued).reduce((sum, count) => sum + count, 0),
    summary: (seconds: number, interrupted: boolean, unfinished: Unfinished[] = []): IngestSummary => ({
      files: counts.files,
      rows: rows(),
      broken_files: counts.broken_files,
      refused: counts.refused + counts.broken_files,
      enqueued: { ...enqueued },
      deletes: counts.deletes,
      merges: counts.merges,
      existing,
      unreadable_values: byColumn(unreadable),
      coarse_dates: byColumn(coarseDates),
      differing_values: differing.mostFrequent(MAX_NAMES),
      unknown_countries: {
        count: names.unknown_country.total(),
        examples: names.unknown_country.mostFrequent(MAX_EXAMPLES),
      },
      unknown_deal_types: names.unknown_deal_type.mostFrequent(MAX_NAMES),
      unknown_fields: Object.entries(names.unknown_field.mostFrequent(MAX_NAMES)).map(([name, count]) => {
        const type = name.slice(0, name.indexOf(".")) as RecordType;
        const field = name.slice(type.length + 1);
        return { type, field, count, suggestion: closestField(field, RECORD_FIELDS[type]) ?? null };
      }),
      duplicate_keys: duplicateKeys.mostFrequent(MAX_NAMES),
      repeated_ids: repeatedIds.found(),
      versions: { given: counts.given, taken: counts.taken },
      seconds: Math.round(seconds * 10) / 10,
      interrupted,
      unfinished,
    }),
  };
}
