import type { Origin } from "@tranche/shared/protocol/queue/enqueue";
import type { RecordType } from "@tranche/shared/domain/records/record";
import type { Deletions } from "@tranche/shared/protocol/runs/ingest-runs";
import type { Existing } from "./existing.ts";
import type { RepeatedIds } from "./repeated-ids.ts";
import type { Unfinished } from "./file-progress.ts";

/** The most frequent names that a summary has as examples. */
export const MAX_EXAMPLES = 10;

/** The fate of the records that the set had and the input did not. */
export type SetSummary = {
  name: string;
  /** `none`: there were none; `not whole`: rows were refused, or the input was not read to its end, so nothing is known to be missing. */
  deletions: Deletions["state"] | "none" | "not whole";
  /** By type. */
  missing: Record<RecordType, number>;
  /** Records that are deleted; with --wait all of them. Those that another set has are not. */
  deleted: number;
  /** The types of which too many were missing, with how many the set had. */
  too_many: { type: RecordType; had: number; missing: number }[];
};

/** The result of an ingest: the document of `ingest --json`. */
export type IngestSummary = {
  /** The id of the run; missing with --dry-run. */
  run?: string;
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
  /** The records in the queue that change single fields. */
  merges: number;
  existing: Existing;
  /** Texts that could not be read and have the value of `else`, by column. */
  unreadable_values: Record<string, { count: number; examples: Record<string, number> }>;
  /** Dates that say only a month, a quarter or a year, and became its first day, by column. */
  coarse_dates: Record<string, { count: number; examples: Record<string, number> }>;
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
  /** Records without a version that replace an earlier one of the same call, from all of its files. */
  repeated_ids: RepeatedIds;
  versions: { given: number; taken: number };
  /** With --dry-run: what would become of the records, each once, and the first of them. */
  dry_run?: { created: number; changed: number; deleted: number; unchanged: number; first: object[] };
  /** With --set: what becomes of the records that the set had and the input did not. */
  set?: SetSummary;
  /** Until everything was enqueued. */
  seconds: number;
  interrupted: boolean;
  /** Files that are not wholly in the queue because the ingest was interrupted. */
  unfinished: Unfinished[];
  /** Acknowledged writes that Redis lost, by file and line: to be ingested again. Missing when nothing is known to be lost. */
  lost?: Origin[];
  /** With --wait: true when everything is searchable. */
  searchable?: boolean;
  searchable_after_seconds?: number;
  failed_jobs?: number;
  dead_letters?: number;
};

/** Why nothing of a set was deleted, and what to do. */
export function tooManyText({ name, too_many }: SetSummary): string {
  const shown = too_many.map(({ type, had, missing }) => `${missing} of ${had} ${type} records`).join(", ");
  return (
    `The set '${name}' would lose ${shown}, more than is allowed at once. Its rows are in, and nothing was deleted. ` +
    "If they are really gone, send it again with --allow-deletes 100% (over HTTP allow_deletes=100%)."
  );
}
