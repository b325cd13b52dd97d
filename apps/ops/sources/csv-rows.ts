import { MAX_ITEM_BYTES, TOO_LONG } from "./item.ts";

/** How a CSV file is written. */
export type Dialect = {
  delimiter: string;
  /** One character; null where quotes are plain text. */
  quote: string | null;
  /** Stands before a quote inside a quoted field; one character, by default the quote itself. */
  escape: string | null;
  lineEnds: "lf" | "crlf" | "cr" | "any";
};

/** A row, or a line that can't be read as one. `line` is where it begins. */
export type CsvRow = { line: number; raw: string } & ({ ok: true; fields: string[] } | { ok: false; problem: string });

type Line = { end: number; after: number };
type Scanned =
  | { kind: "row"; fields: string[]; end: number; after: number; lines: number }
  | { kind: "bad"; problem: string; line: Line }
  /** The row does not end in this text. `line`: its first line, when that does. */
  | { kind: "open"; line: Line | undefined };

/** How far a closing quote is searched for before the rows that follow are read by themselves; in characters. */
const LOOK_AHEAD = 4 * MAX_ITEM_BYTES;

const LINE_ENDS = { lf: /\n/g, crlf: /\r\n/g, cr: /\r/g, any: /\r\n|\n|\r/g };

const STRAY =
  "has a quote inside a field that does not begin with one: put the field in quotes and double the quote, " +
  'or set "quote": null in the mapping when quotes are plain text';
const AFTER_CLOSING =
  'has text after a closing quote: double quotes inside a field, or set "escape" in the mapping to what stands before them';
const NOT_CLOSED = "opens a quote that is not closed before the next row";

/**
 * Splits CSV text into rows by RFC 4180, quoted fields over several lines included. A line that breaks its rules is one bad row,
 * and reading goes on with the next line. A quote counts as not closed when the text between it and the next quote can't be a
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
    if (raw === "") return undefined;
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

function scanner(dialect: Dialect): (text: string, start: number, atEnd: boolean) => Scanned {
  const { delimiter, quote } = dialect;
  const escape = dialect.escape ?? quote;
  const lineAt = lineFinder(dialect);
  const codes = [quote, escape].map((each) => (each === null ? "" : `\\u{${each.codePointAt(0)!.toString(16)}}`));
  const special = new RegExp(`[${codes.join("")}]`, "gu");

  return (text, start, atEnd) => {
    const first = lineAt(text, start, atEnd);
    if (!first) return { kind: "open", line: undefined };
    const whole = copied(text.slice(start, first.end));
    if (quote === null || !whole.includes(quote))
      return { kind: "row", fields: whole.split(delimiter), ...first, lines: 1 };

    const bad = (problem: string): Scanned => ({ kind: "bad", problem, line: first });
    const fields: string[] = [];
    let line = first;
    let lines = 1;
    let at = start;
    for (;;) {
      if (text.startsWith(quote, at)) {
        const field = quoted(text, at + 1);
        if (!field) return { kind: "open", line: first };
        for (at = field.after; line.end < at; lines++) {
          const next = lineAt(text, line.after, atEnd);
          if (!next) return { kind: "open", line: first };
          line = next;
        }
        if (at < line.end && !text.startsWith(delimiter, at)) return bad(lines > 1 ? NOT_CLOSED : AFTER_CLOSING);
        fields.push(copied(field.value));
      } else {
        const rest = text.slice(at, line.end);
        const cut = rest.indexOf(delimiter);
        const value = cut === -1 ? rest : rest.slice(0, cut);
        if (value.includes(quote)) return bad(STRAY);
        fields.push(copied(value));
        at += value.length;
      }
      if (at >= line.end) return { kind: "row", fields, ...line, lines };
      at += delimiter.length;
    }
  };

  /** The field whose text begins here, and where what follows its closing quote begins. */
  function quoted(text: string, from: number): { value: string; after: number } | undefined {
    let value = "";
    for (let at = from; ;) {
      special.lastIndex = at;
      const found = special.exec(text)?.index;
      if (found === undefined) return undefined;
      const next = text[found + 1];
      value += text.slice(at, found);
      if (text[found] === escape && next !== undefined && (next === quote || next === escape)) {
        value += next;
        at = found + 2;
      } else if (text[found] === quote) {
        return { value, after: found + 1 };
      } else {
        value += text[found];
        at = found + 1;
      }
    }
  }
}

/** Finds the end of the line that goes on at `from`; at the end of the file a line needs no line end. */
function lineFinder({ lineEnds }: Dialect): (text: string, from: number, atEnd: boolean) => Line | undefined {
  const ends = new RegExp(LINE_ENDS[lineEnds]);
  return (text, from, atEnd) => {
    ends.lastIndex = from;
    const found = ends.exec(text);
    // A LF may follow a CR at the end of the chunk.
    if (found && (atEnd || found[0] !== "\r" || lineEnds === "cr" || found.index + 1 < text.length))
      return { end: found.index, after: found.index + found[0].length };
    return atEnd ? { end: text.length, after: text.length } : undefined;
  };
}

/** A part of a string keeps the whole of it in memory; a copy does not. */
const copied = (part: string): string => ` ${part}`.slice(1);
