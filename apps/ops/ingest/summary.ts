import { closestField } from "@tranche/shared/records/fields";
import type { ParsedRecord, RecordNote } from "@tranche/shared/records/parse";
import { RECORD_FIELDS } from "@tranche/shared/records/schemas";
import { RECORD_TYPES, type RecordType } from "@tranche/shared/records/record";
import type { Origin } from "@tranche/shared/queue/enqueue";
import { partsText } from "@tranche/shared/runs/run-parts";
import type { SourceItem } from "../sources/item.ts";
import { counted, shownNumber } from "../terminal/numbers.ts";
import { type Existing, existingLines } from "./existing.ts";
import { type Unfinished, unfinishedText } from "./file-progress.ts";

/** What an ingest did: the document of `ingest --json`. */
export type IngestSummary = {
  files: number;
  /** Rows of CSV, lines of NDJSON or elements of an array; each is one of the three. */
  rows: {
    read: number;
    /** Rows that repeat or fill in a record of an earlier row among them. */
    with_records: number;
    refused: number;
    /** Left out by a rule of the mapping. */
    skipped: number;
  };
  /** Files that could not be read, or not to their end. */
  broken_files: number;
  /** Rows and files together. */
  refused: number;
  /** Records in the queue, deletes among them; one that several rows make counts once. */
  enqueued: Record<RecordType, number>;
  deletes: number;
  /** Of the records in the queue, those that change single fields. */
  merges: number;
  existing: Existing;
  /** Texts that could not be read and have the value of `else`, by column. */
  unreadable_values: Record<string, { count: number; examples: Record<string, number> }>;
  /** Fields in which a row contradicts an earlier row of the same record, whose value stays. */
  differing_values: Record<string, number>;
  /** Countries nobody knows became null; `examples` are the most frequent. */
  unknown_countries: { count: number; examples: Record<string, number> };
  /** Labels that fit no deal type became `other`, with how often each came. */
  unknown_deal_types: Record<string, number>;
  /** Fields that no record of their type has, as `investors[].is_leed`; they were ignored. The most frequent come first. */
  unknown_fields: { type: RecordType; field: string; count: number; suggestion: string | null }[];
  /** Keys that an object has more than once, as `investors[].is_lead`; the last value was used. The most frequent come first. */
  duplicate_keys: Record<string, number>;
  versions: { given: number; taken: number };
  /** With --dry-run: what would become of the records, each once, and the first of them. */
  dry_run?: { created: number; changed: number; deleted: number; unchanged: number; first: object[] };
  /** Until everything was enqueued. */
  seconds: number;
  interrupted: boolean;
  /** Files that are not wholly in the queue because the ingest was interrupted. */
  unfinished: Unfinished[];
  /** What Redis lost after it had acknowledged it, by file and line: to be ingested again. Missing when nothing is known to be lost. */
  lost?: Origin[];
  /** With --wait: true when everything is searchable. */
  searchable?: boolean;
  searchable_after_seconds?: number;
  failed_jobs?: number;
  dead_letters?: number;
};

const NOTHING_EXISTED: Existing = { replaced: 0, merged: 0, deleted: 0, unchanged: 0, kept: 0, waiting: 0 };

/** Names are counted up to this many different ones, so that a wrong column cannot fill the memory. */
const MAX_NAMES = 1000;
const MAX_EXAMPLES = 10;

/** Counts names, up to MAX_NAMES different ones. */
function createNames() {
  const seen = new Map<string, number>();
  let total = 0;
  return {
    has: (name: string) => seen.has(name),
    add: (name: string) => {
      total++;
      if (seen.has(name) || seen.size < MAX_NAMES) seen.set(name, (seen.get(name) ?? 0) + 1);
    },
    total: () => total,
    mostFrequent: (limit: number): Record<string, number> =>
      Object.fromEntries([...seen].toSorted((a, b) => b[1] - a[1]).slice(0, limit)),
  };
}

export type IngestCounter = ReturnType<typeof createIngestCounter>;

/** Counts what goes by. */
export function createIngestCounter() {
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
  const unreadable = new Map<string, ReturnType<typeof createNames>>();

  const change = (record: ParsedRecord, by: 1 | -1) => {
    enqueued[record.type] += by;
    if (record.body === null) counts.deletes += by;
    if (record.merge) counts.merges += by;
    counts[record.version === undefined ? "taken" : "given"] += by;
  };

  return {
    counts,
    /** A row, line or element that was read. */
    row: (item: SourceItem, isRefused: boolean) => {
      counts.read++;
      counts[isRefused ? "refused" : item.ok && item.skipped ? "skipped" : "with_records"]++;
      for (const note of (item.ok && item.notes) || []) {
        if (note.kind === "differing") differing.add(note.field);
        else if (note.kind === "duplicate_key") {
          if (!isRefused) duplicateKeys.add(note.key);
        } else {
          if (!unreadable.has(note.column)) unreadable.set(note.column, createNames());
          unreadable.get(note.column)!.add(note.text);
        }
      }
    },
    /** A record that is enqueued; `again`: one that was, with more in it. */
    enqueued: (record: ParsedRecord, again = false) => {
      for (const { kind, value } of record.notes) {
        const name = kind === "unknown_field" ? `${record.type}.${value}` : value;
        if (!again || !names[kind].has(name)) names[kind].add(name);
      }
      if (again) return;
      change(record, 1);
    },
    /** A record that was counted as enqueued, and is left out after all. */
    leftOut: (record: ParsedRecord) => change(record, -1),
    existing: (found: Existing) => void (existing = found),
    total: () => Object.values(enqueued).reduce((sum, count) => sum + count, 0),
    summary: (seconds: number, interrupted: boolean, unfinished: Unfinished[] = []): IngestSummary => ({
      files: counts.files,
      rows: {
        read: counts.read,
        with_records: counts.with_records,
        refused: counts.refused,
        skipped: counts.skipped,
      },
      broken_files: counts.broken_files,
      refused: counts.refused + counts.broken_files,
      enqueued: { ...enqueued },
      deletes: counts.deletes,
      merges: counts.merges,
      existing,
      unreadable_values: Object.fromEntries(
        [...unreadable].map(([column, texts]) => [
          column,
          { count: texts.total(), examples: texts.mostFrequent(MAX_EXAMPLES) },
        ]),
      ),
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
      versions: { given: counts.given, taken: counts.taken },
      seconds: Math.round(seconds * 10) / 10,
      interrupted,
      unfinished,
    }),
  };
}

const NAMED: Record<RecordType, [string, string]> = {
  company: ["company", "companies"],
  investor: ["investor", "investors"],
  round: ["round", "rounds"],
  signal: ["signal", "signals"],
};

/** The summary as people read it. */
export function summaryText(summary: IngestSummary): string {
  const total = RECORD_TYPES.reduce((sum, type) => sum + summary.enqueued[type], 0);
  const types = RECORD_TYPES.filter((type) => summary.enqueued[type] > 0).map((type) =>
    counted(summary.enqueued[type], ...NAMED[type]),
  );
  const speed = summary.seconds > 0 ? `, ${shownNumber(total / summary.seconds)} per second` : "";
  const differing = Object.values(summary.differing_values).reduce((sum, count) => sum + count, 0);
  const { rows } = summary;
  const labels = Object.values(summary.unknown_deal_types).reduce((sum, count) => sum + count, 0);
  const kinds = [
    summary.merges > 0 && counted(summary.merges, "merge"),
    summary.deletes > 0 && counted(summary.deletes, "delete"),
  ].filter((kind) => typeof kind === "string");
  return [
    `${counted(rows.read, "row")} read from ${counted(summary.files, "file")} in ${summary.seconds} s: ` +
      `${shownNumber(rows.with_records)} gave records, ${shownNumber(rows.refused)} refused, ${shownNumber(rows.skipped)} left out by the mapping`,
    summary.broken_files > 0 && `Not read, or not to the end: ${counted(summary.broken_files, "file")}`,
    `${summary.dry_run ? "To be enqueued" : "Enqueued"}: ${shownNumber(total)}${types.length > 0 ? ` (${types.join(", ")}${kinds.map((kind) => `; ${kind}`).join("")})` : ""}${speed}`,
    ...(summary.dry_run ? [] : existingLines(summary.existing)),
    ...Object.entries(summary.unreadable_values).map(
      ([column, texts]) =>
        `Not readable in column '${column}', replaced as "else" says: ${shownNumber(texts.count)} (${examples(texts.examples, 5)})`,
    ),
    differing > 0 &&
      `Different from an earlier row of the same record, which stays: ${shownNumber(differing)} (${examples(summary.differing_values, 10)})`,
    summary.unknown_countries.count > 0 &&
      `Unknown countries, set to null: ${shownNumber(summary.unknown_countries.count)} (${examples(summary.unknown_countries.examples, 5)})`,
    labels > 0 &&
      `Labels that match no deal type, stored as 'other' with the label: ${shownNumber(labels)} (${examples(summary.unknown_deal_types, 20)})`,
    summary.unknown_fields.length > 0 &&
      `Unknown fields, ignored (--strict refuses them): ${unknownFieldList(summary)}`,
    Object.keys(summary.duplicate_keys).length > 0 &&
      `Duplicate keys, the last value of each was used (--strict refuses them): ${examples(summary.duplicate_keys, 10)}`,
    summary.versions.given > 0 &&
      summary.versions.taken > 0 &&
      `Warning: ${shownNumber(summary.versions.given)} writes carry a version and ${shownNumber(summary.versions.taken)} do not. ` +
        "All writes of one record have to be of one kind: a version taken here is in the order of microseconds since 1970, above any small number.",
    summary.interrupted && !summary.dry_run && "Interrupted: what is enqueued stays in the queue.",
    summary.unfinished.length > 0 && `Not read to the end, ingest again: ${unfinishedText(summary.unfinished)}`,
    summary.lost &&
      `Redis lost writes that it had acknowledged. Ingest again: ${partsText(summary.lost)}. \`ops status\` names them until then.`,
    summary.searchable && `Everything is searchable, after ${summary.searchable_after_seconds} s.`,
  ]
    .filter((line) => typeof line === "string")
    .join("\n");
}

/** `company.cuntry 12 (did you mean country?), round.x 3` */
function unknownFieldList({ unknown_fields }: IngestSummary): string {
  const shown = unknown_fields
    .slice(0, MAX_EXAMPLES)
    .map(
      ({ type, field, count, suggestion }) =>
        `${type}.${field} ${shownNumber(count)}${suggestion === null ? "" : ` (did you mean ${suggestion}?)`}`,
    );
  return andMore(shown, unknown_fields.length);
}

/** `'Freedonia' 10, 'Sylvania' 4, and 3 more` */
function examples(counts: Record<string, number>, limit: number): string {
  const entries = Object.entries(counts);
  const shown = entries.slice(0, limit).map(([name, count]) => `'${name}' ${shownNumber(count)}`);
  return andMore(shown, entries.length);
}

function andMore(shown: string[], total: number): string {
  const more = total - shown.length;
  return [...shown, ...(more > 0 ? [`and ${shownNumber(more)} more`] : [])].join(", ");
}
