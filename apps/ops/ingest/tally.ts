import { closestField } from "@tranche/shared/records/fields";
import { type ParsedRecord, RECORD_FIELDS, type RecordNote } from "@tranche/shared/records/parse";
import { RECORD_TYPES, type RecordType } from "@tranche/shared/records/record";
import { counted, shownNumber } from "../terminal/numbers.ts";

/** What an ingest did: the document of `ingest --json`. */
export type IngestSummary = {
  files: number;
  /** Lines, elements or rows that were read, refused ones among them. */
  items: number;
  /** Writes in the queue, deletes among them. */
  enqueued: Record<RecordType, number>;
  deletes: number;
  refused: number;
  /** Rows of CSV files that were left out because the mapping says so, or as exact duplicates. */
  skipped: number;
  /** Countries nobody knows became null; `examples` are the most frequent. */
  unknown_countries: { count: number; examples: Record<string, number> };
  /** Labels that fit no deal type became `other`, with how often each came. */
  unknown_deal_types: Record<string, number>;
  /** Fields that no record of their type has, as `investors[].is_leed`; they were ignored. The most frequent come first. */
  unknown_fields: { type: RecordType; field: string; count: number; suggestion: string | null }[];
  versions: { given: number; taken: number };
  /** Until everything was enqueued. */
  seconds: number;
  interrupted: boolean;
  /** With --wait: true when everything is searchable. */
  searchable?: boolean;
  searchable_after_seconds?: number;
  failed_jobs?: number;
  dead_letters?: number;
};

/** Names are counted up to this many different ones, so that a wrong column cannot fill the memory. */
const MAX_NAMES = 1000;
const MAX_EXAMPLES = 10;

export type Tally = ReturnType<typeof createTally>;

/** Counts what goes by. */
export function createTally() {
  const enqueued = Object.fromEntries(RECORD_TYPES.map((type) => [type, 0])) as Record<RecordType, number>;
  const counts = { files: 0, items: 0, deletes: 0, refused: 0, skipped: 0, given: 0, taken: 0 };
  const names: Record<RecordNote["kind"], Map<string, number>> = {
    unknown_country: new Map(),
    unknown_deal_type: new Map(),
    unknown_field: new Map(),
  };
  let unknownCountries = 0;

  return {
    counts,
    enqueued: (record: ParsedRecord) => {
      enqueued[record.type]++;
      if (record.body === null) counts.deletes++;
      counts[record.version === undefined ? "taken" : "given"]++;
      for (const note of record.notes) {
        if (note.kind === "unknown_country") unknownCountries++;
        const name = note.kind === "unknown_field" ? `${record.type}.${note.value}` : note.value;
        const seen = names[note.kind];
        if (seen.has(name) || seen.size < MAX_NAMES) seen.set(name, (seen.get(name) ?? 0) + 1);
      }
    },
    total: () => Object.values(enqueued).reduce((sum, count) => sum + count, 0),
    summary: (seconds: number, interrupted: boolean): IngestSummary => ({
      files: counts.files,
      items: counts.items,
      enqueued: { ...enqueued },
      deletes: counts.deletes,
      refused: counts.refused,
      skipped: counts.skipped,
      unknown_countries: { count: unknownCountries, examples: mostFrequent(names.unknown_country, MAX_EXAMPLES) },
      unknown_deal_types: mostFrequent(names.unknown_deal_type, MAX_NAMES),
      unknown_fields: Object.entries(mostFrequent(names.unknown_field, MAX_NAMES)).map(([name, count]) => {
        const type = name.slice(0, name.indexOf(".")) as RecordType;
        const field = name.slice(type.length + 1);
        return { type, field, count, suggestion: closestField(field, RECORD_FIELDS[type]) ?? null };
      }),
      versions: { given: counts.given, taken: counts.taken },
      seconds: Math.round(seconds * 10) / 10,
      interrupted,
    }),
  };
}

function mostFrequent(seen: Map<string, number>, limit: number): Record<string, number> {
  return Object.fromEntries([...seen].toSorted((a, b) => b[1] - a[1]).slice(0, limit));
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
  const speed = summary.seconds > 0 ? `, ${shownNumber(total / summary.seconds)} a second` : "";
  const labels = Object.values(summary.unknown_deal_types).reduce((sum, count) => sum + count, 0);
  return [
    `${counted(summary.items, "record")} read from ${counted(summary.files, "file")} in ${summary.seconds} s`,
    `Enqueued: ${shownNumber(total)}${types.length > 0 ? ` (${types.join(", ")}${summary.deletes > 0 ? `; ${counted(summary.deletes, "delete")}` : ""})` : ""}${speed}`,
    `Refused: ${shownNumber(summary.refused)}`,
    summary.skipped > 0 && `Left out by the mapping, or as exact duplicates: ${counted(summary.skipped, "row")}`,
    summary.unknown_countries.count > 0 &&
      `Countries nobody knows, set to null: ${shownNumber(summary.unknown_countries.count)} (${examples(summary.unknown_countries.examples, 5)})`,
    labels > 0 &&
      `Labels that fit no deal type, kept beside 'other': ${shownNumber(labels)} (${examples(summary.unknown_deal_types, 20)})`,
    summary.unknown_fields.length > 0 &&
      `Unknown fields, ignored (--strict refuses them): ${unknownFieldList(summary)}`,
    summary.versions.given > 0 &&
      summary.versions.taken > 0 &&
      `Warning: ${shownNumber(summary.versions.given)} writes carry a version and ${shownNumber(summary.versions.taken)} do not. ` +
        "All writes of one record have to be of one kind: a version taken here is in the order of microseconds since 1970, above any small number.",
    summary.interrupted && "Interrupted: what is enqueued stays in the queue.",
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
