import type { RecordProblem } from "@tranche/shared/domain/records/parse";
import type { RowNote } from "../mapping/rows.ts";

/** Something to count in a row of a table, or a key that an object of JSON has more than once. */
export type ItemNote = RowNote | { kind: "duplicate_key"; key: string };

/** A location in a source file: a line (from 1), an element of a JSON array (from 1), or the file as a whole. */
export type SourceLocation = { line: number } | { element: number } | Record<string, never>;

/**
 * The contents of a file, piece by piece: records still to be checked, or why a piece cannot be read. `raw` is the piece as text;
 * `filled` are records of earlier rows with more in them; `skipped` are rows that a mapping leaves out.
 */
export type SourceItem =
  | {
      ok: true;
      location: SourceLocation;
      values: unknown[];
      raw: string;
      filled?: unknown[];
      notes?: ItemNote[];
      skipped?: boolean;
    }
  | { ok: false; location: SourceLocation; problems: RecordProblem[]; raw: string | null };

/** Reading can't continue: the file is missing, cut off or broken from here. The items read before are good. */
export class SourceError extends Error {
  override name = "SourceError";
}

/** A piece is never longer than this, in bytes. */
export const MAX_ITEM_BYTES = 1024 * 1024;
export const TOO_LONG = "is longer than 1 MiB";

/** How much of a refused piece is kept. */
export const MAX_RAW_LENGTH = 10_000;

export function refusal(location: SourceLocation, reason: string, raw: string | null = null): SourceItem {
  return { ok: false, location, problems: [{ field: "", reason }], raw: raw?.slice(0, MAX_RAW_LENGTH) ?? null };
}

/** The reason for what no reader foresaw; it costs the piece in which it came up and nothing else. */
export function unexpected(error: unknown): string {
  return `could not be read because of an unexpected error: ${error instanceof Error ? error.message : String(error)}`;
}
