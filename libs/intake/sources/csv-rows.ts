import { type Dialect, type Line, lineFinder, NOT_CLOSED, type Scanned, scanner } from "./csv-scanner.ts";
import { MAX_ITEM_BYTES, TOO_LONG } from "./item.ts";

/** A row, or a line that can't be read as one. `line` is where it begins. */
export type CsvRow = { line: number; raw: string } & ({ ok: true; fields: string[] } | { ok: false; problem: string });

/** The line with which Excel begins to be told the delimiter. */
const SEPARATOR_LINE = /^"?sep=[^"]"?$/i;

/** How far a closing quote is searched for before the rows that follow are read by themselves; in characters. */
const LOOK_AHEAD = 4 * MAX_ITEM_BYTES;

/**
 * Splits CSV text into rows by RFC 4180, quoted fields over several lines included. A line that breaks its rules is one bad row,
 * and reading continues with the next line. A quote counts as not closed when the text between it and the next quote can't be a
 * field of this row: a wrong character follows that quote, the row has another number of columns than the first one (`width`), or
 * the file ends first.
 */
export async function* readRows(
  texts: AsyncIterable<string>,
  dialect: Dialect,
  width?: number,
): AsyncGenerator<CsvRow> {
  const scan = scanner(dialect);
  const lineAt = lineFinder(dialect);
  let text = "";
  let from = 0;
  let line = 1;
  /** Less text than this is not worth another try. */
  let wanted = 0;
  let inLongLine = false;

  for await (const piece of texts) {
    text = text.slice(from) + piece;
    from = 0;
    if (text.length >= wanted) yield* rows(false);
  }
  yield* rows(true);

  function* rows(atEnd: boolean): Generator<CsvRow> {
    wanted = 0;
    if (inLongLine && !passLongLine(atEnd)) return;
    while (from < text.length) {
      const scanned = scan(text, from, atEnd);
      if (scanned.kind === "row") {
        const row = rowOf(scanned);
        if (row) yield row;
        continue;
      }
      if (scanned.kind === "bad") {
        yield bad(scanned.problem, scanned.line);
        continue;
      }
      if (!atEnd && text.length - from < LOOK_AHEAD) {
        // Twice as much each time, so that a long row is not scanned again for each of its chunks.
        wanted = 2 * (text.length - from);
        return;
      }
      if (scanned.line) {
        yield bad(NOT_CLOSED, scanned.line);
        continue;
      }
      yield { ok: false, line, problem: TOO_LONG, raw: text.slice(from, from + MAX_ITEM_BYTES) };
      inLongLine = true;
      if (!passLongLine(atEnd)) return;
    }
  }

  function rowOf({ fields, end, after, lines }: Scanned & { kind: "row" }): CsvRow | undefined {
    const raw = text.slice(from, end);
    if (lines > 1 && width !== undefined && fields.length !== width) return bad(NOT_CLOSED, lineAt(text, from, true)!);
    const at = { line, raw };
    from = after;
    line += lines;
    if (raw === "" || (at.line === 1 && SEPARATOR_LINE.test(raw))) return undefined;
    width ??= fields.length;
    if (Buffer.byteLength(raw) > MAX_ITEM_BYTES) return { ...at, ok: false, problem: TOO_LONG };
    return { ...at, ok: true, fields };
  }

  function bad(problem: string, { end, after }: Line): CsvRow {
    const row: CsvRow = { ok: false, line, problem, raw: text.slice(from, end) };
    from = after;
    line++;
    return row;
  }

  /** Whether the end of a line that was refused is reached. */
  function passLongLine(atEnd: boolean): boolean {
    const end = lineAt(text, from, atEnd);
    if (end) {
      from = end.after;
      line++;
      inLongLine = false;
    } else {
      // The last character may be half a line end.
      from = Math.max(from, text.length - 1);
    }
    return end !== undefined;
  }
}
