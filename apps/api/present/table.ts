import { stringify } from "csv-stringify/sync";

export type Cell = string | number | boolean | null;
/** A row of scalars, its columns in order. */
export type FlatRow = Record<string, Cell>;

/** Several values in one cell; null when there is none. */
export const joined = (values: readonly string[]): string | null => (values.length === 0 ? null : values.join("; "));

/**
 * Rows as CSV (RFC 4180, CRLF), with a header row unless they continue a table. Texts that a spreadsheet could read as a formula get a `'`
 * before them, unless they are wanted as stored (`rawText`); null is an empty cell.
 */
export function csv(
  columns: readonly string[],
  rows: readonly FlatRow[],
  { header = true, rawText = false } = {},
): string {
  return stringify(
    rows.map((row) => columns.map((column) => row[column] ?? null)),
    {
      header,
      columns: columns.map((column) => ({ key: column })),
      record_delimiter: "windows",
      // The library quotes only the line ends that separate its records.
      quoted_match: /[\r\n]/,
      cast: { string: (text) => (!rawText && FORMULA.test(text) ? `'${text}` : text) },
    },
  );
}

/**
 * The beginning of a formula: an operator, also in full width, after any blanks, controls and invisible characters. Also the
 * controls that some spreadsheets drop.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@＝＋－＠])/u;

/** Rows, each as JSON, as NDJSON: one per line. */
export function ndjson(rows: readonly string[]): string {
  return rows.map((row) => `${row}\n`).join("");
}
