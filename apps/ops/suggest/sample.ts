import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { readRows } from "../sources/csv-rows.ts";
import type { Dialect } from "../sources/csv-scanner.ts";
import { decode } from "../sources/decoded.ts";
import { openInput } from "../sources/input.ts";
import { assertText } from "../sources/recognise.ts";

/** The beginning of a CSV file, and how it is written. */
export type Sample = {
  encoding: string;
  delimiter: string;
  lineEnds: Dialect["lineEnds"];
  columns: string[];
  rows: Record<string, string>[];
};

/** The bytes that are inspected. */
const SAMPLE_BYTES = 256 * 1024;
const DELIMITERS = [",", ";", "\t", "|"];
const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** Reads the first rows of a file. Throws a SourceError when it can't be opened, or is not a text file. */
export async function readSample(path: string, stdin: Readable): Promise<Sample> {
  const bytes = await firstBytes((await openInput(path, stdin)).bytes);
  const encoding = encodingOf(bytes);
  assertText(bytes, encoding);
  const text = await textOf(bytes, encoding);
  const lineEnds = /\n/.test(text) ? "any" : text.includes("\r") ? "cr" : "any";
  const tries = await Promise.all(DELIMITERS.map((delimiter) => rowsOf(text, delimiter, lineEnds)));
  const widths = tries.map((rows) => evenWidth(rows));
  const best = widths.indexOf(Math.max(...widths));
  const [header = [], ...rows] = tries[best]!;
  const columns = header.map((name) => name.trim());
  return {
    encoding,
    delimiter: DELIMITERS[best]!,
    lineEnds,
    columns,
    rows: rows
      .filter((row) => row.length === columns.length)
      .map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]!]))),
  };
}

async function firstBytes(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= SAMPLE_BYTES) break;
  }
  const all = Buffer.concat(parts);
  if (length < SAMPLE_BYTES) return all;
  // Only complete lines: the last one may be cut off.
  const end = Math.max(all.lastIndexOf(10), all.lastIndexOf(13));
  return end > 0 ? all.subarray(0, end + 1) : all;
}

/** Files that end their lines with CR alone come from old Macs. */
function encodingOf(bytes: Buffer): string {
  if (UTF16_MARKS.some((mark) => bytes.subarray(0, 2).equals(mark))) return "utf16";
  if (isUtf8(bytes)) return "utf8";
  return bytes.includes(10) ? "windows-1252" : "macroman";
}

async function textOf(bytes: Buffer, encoding: string): Promise<string> {
  const pieces = (async function* () {
    yield bytes;
  })();
  const texts: string[] = [];
  for await (const text of decode(pieces, encoding).texts) texts.push(text);
  return texts.join("");
}

async function rowsOf(text: string, delimiter: string, lineEnds: Dialect["lineEnds"]): Promise<string[][]> {
  const pieces = (async function* () {
    yield text;
  })();
  const rows: string[][] = [];
  for await (const row of readRows(pieces, { delimiter, quote: '"', escape: '"', lineEnds }))
    if (row.ok) rows.push(row.fields);
  return rows;
}

/** How many columns the file has if this delimiter is the right one: all rows have as many then. */
function evenWidth(rows: readonly string[][]): number {
  const width = rows[0]?.length ?? 0;
  const even = rows.filter((row) => row.length === width).length;
  return width > 1 && even >= 0.9 * rows.length ? width : 0;
}
