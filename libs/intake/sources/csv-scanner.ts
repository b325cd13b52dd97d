/** How a CSV file is written. */
export type Dialect = {
  delimiter: string;
  /** One character; null where quotes are plain text. */
  quote: string | null;
  /** Stands before a quote inside a quoted field; one character, by default the quote itself. */
  escape: string | null;
  lineEnds: "lf" | "crlf" | "cr" | "any";
};

export type Line = { end: number; after: number };
export type Scanned =
  | { kind: "row"; fields: string[]; end: number; after: number; lines: number }
  | { kind: "bad"; problem: string; line: Line }
  /** The row does not end in this text. `line`: its first line, when that does. */
  | { kind: "open"; line: Line | undefined };

const LINE_ENDS = { lf: /\n/g, crlf: /\r\n/g, cr: /\r/g, any: /\r\n|\n|\r/g };

const STRAY =
  "has a quote inside a field that does not begin with one: put the field in quotes and double the quote, " +
  'or set "quote": null in the mapping when quotes are plain text';
const AFTER_CLOSING =
  'has text after a closing quote: double quotes inside a field, or set "escape" in the mapping to the character before them';
export const NOT_CLOSED = "opens a quote that is not closed before the next row";

/** Scans the row that begins at a place in a text. */
export function scanner(dialect: Dialect): (text: string, start: number, atEnd: boolean) => Scanned {
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

/** Finds the end of the line that continues at `from`; at the end of the file a line needs no line end. */
export function lineFinder({ lineEnds }: Dialect): (text: string, from: number, atEnd: boolean) => Line | undefined {
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
