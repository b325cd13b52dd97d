import { counted, shownNumber } from "@tranche/shared/domain/text/numbers";
import type { Row } from "../mapping/condition.ts";
import { jsonRows } from "../mapping/json-rows.ts";
import { readRows } from "../sources/csv-rows.ts";
import type { Dialect } from "../sources/csv-scanner.ts";
import { decode } from "../sources/decoded.ts";
import { SourceError } from "../sources/item.ts";
import { firstOf, withoutMark } from "../sources/json-items.ts";
import { valuesOf } from "../sources/mapped-json.ts";
import { assertText } from "../sources/recognise.ts";
import type { Beginning } from "./beginning.ts";
import { type Encoding, encodingOf } from "./encoding.ts";

/** The beginning of a file, and how it is written. */
export type Sample = {
  /** The values of a JSON file. `rowsAlong` makes rows of them. */
  values?: unknown[];
  /** The nested list of JSON whose items are the rows. */
  path?: string | undefined;
  /** The columns of an event, where those of its company are beside them in each row. */
  events?: ReadonlySet<string>;
  encoding: Encoding;
  delimiter: string;
  lineEnds: Dialect["lineEnds"];
  quote: '"' | "'";
  columns: string[];
  rows: Record<string, string>[];
  /** The file has no other rows. */
  isWhole: boolean;
};

const DELIMITERS = [",", ";", "\t", "|"];
const MAX_COLUMNS = 1000;
/** Rows are recognised by the first ones: as many as have so many cells. */
const MAX_CELLS = 30_000;
/** Texts are recognised by their beginning. */
const MAX_TEXT = 1000;
const MAX_NAME = 500;

/** The rows at the beginning of a file. `encoding`: given by a person. Throws a SourceError for a file that is not a table. */
export async function sampleOf({ bytes, isWhole }: Beginning, encoding?: string): Promise<Sample> {
  if (bytes.length === 0) throw new SourceError("is empty");
  // JSON is UTF-8, so nothing is guessed.
  const values = /^[[{]$/.test(firstOf(withoutMark(bytes)) ?? "") ? await jsonValues(bytes) : [];
  if (values.length > 0)
    return {
      encoding: { name: "utf8", isGuess: false, others: [] },
      delimiter: ",",
      lineEnds: "any",
      quote: '"',
      columns: [],
      rows: [],
      isWhole,
      values,
    };
  const found = encoding === undefined ? encodingOf(bytes) : { name: encoding, isGuess: false, others: [] };
  assertText(bytes, found.name);
  const text = await textOf(bytes, found.name);
  if (/^\s*[[{]/.test(text) && found.name.startsWith("utf16"))
    throw new SourceError("is JSON in UTF-16, expected UTF-8: `iconv -f UTF-16 -t UTF-8 FILE` converts it");
  if (text.includes("\0")) throw new SourceError("is not text: expected CSV, JSON or NDJSON");
  const lineEnds = /\n/.test(text) ? "any" : text.includes("\r") ? "cr" : "any";
  const quote = /^(?:sep=.\s+)?'[^'\r\n]*'[,;\t|]/.test(text) ? "'" : '"';
  const tries = await Promise.all(
    DELIMITERS.map((delimiter) => rowsOf(text, { delimiter, quote, escape: quote, lineEnds })),
  );
  const widths = tries.map((rows) => evenWidth(rows));
  if (Math.max(...widths) === 0) assertEven(tries);
  const best = widths.indexOf(Math.max(...widths));
  const [header = [], ...rows] = tries[best]!;
  const columns = header.map((name) => name.trim());
  assertFew(columns);
  const repeated = columns.filter((name, index) => name !== "" && columns.indexOf(name) !== index);
  const problem = headerProblem(columns);
  if (problem !== undefined) throw new SourceError(problem);
  if (repeated.length > 0)
    throw new SourceError(`has more than one column '${repeated[0]}': give each a name of its own`);
  const even = rows.filter((row) => row.length === columns.length);
  const most = Math.ceil(MAX_CELLS / columns.length);
  return {
    encoding: found,
    delimiter: DELIMITERS[best]!,
    lineEnds,
    quote,
    columns,
    isWhole: isWhole && even.length <= most,
    rows: even
      .slice(0, most)
      .map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]!.slice(0, MAX_TEXT)]))),
  };
}

function assertFew(columns: readonly string[]): void {
  if (columns.length > MAX_COLUMNS)
    throw new SourceError(
      `has ${shownNumber(columns.length)} columns, and a mapping is suggested for at most ${shownNumber(MAX_COLUMNS)}: leave out those that are not about companies and rounds`,
    );
  const long = columns.find((name) => name.length > MAX_NAME);
  if (long !== undefined)
    throw new SourceError(
      `has a column whose name has ${shownNumber(long.length)} characters ('${long.slice(0, 60)}…'), expected at most ${shownNumber(MAX_NAME)}: is the line with the names the first one?`,
    );
}

/** Why the first line does not name the columns. */
function headerProblem(columns: readonly string[]): string | undefined {
  const first = columns
    .slice(0, 3)
    .map((name) => `'${name}'`)
    .join(", ");
  const unnamed = columns.filter((name) => name === "").length;
  if (columns.length > 2 && unnamed > columns.length / 2)
    return `has no names for ${unnamed} of its ${columns.length} columns in its first line (${first}): remove what is above the line with the names`;
  const isValue = (name: string) => /^[\p{Sc}\d][\d.,/:-]{3,}$/u.test(name) && !/^(?:19|20)\d\d$/.test(name);
  if (columns.some(isValue))
    return `begins with a line that looks like a row (${first}), expected the names of the columns: put a line with names above it`;
  return undefined;
}

/** The rows of a JSON file, one for each item of a nested list, or for each value. */
export function rowsAlong(sample: Sample, path: string | undefined): Sample {
  const { rows, isCut } = firstRows(sample.values ?? [], path);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  assertFew(columns);
  return {
    ...sample,
    path,
    columns,
    isWhole: sample.isWhole && !isCut,
    rows: rows.map((row) =>
      Object.fromEntries(
        columns.map((column) => [column, Object.hasOwn(row, column) ? row[column]!.slice(0, MAX_TEXT) : ""]),
      ),
    ),
  };
}

function firstRows(values: readonly unknown[], path: string | undefined): { rows: Row[]; isCut: boolean } {
  const rows: Row[] = [];
  // Each row gets every column, also those that only other rows have.
  const columns = new Set<string>();
  for (const value of values)
    for (const row of jsonRows(value, path)) {
      rows.push(row);
      for (const column of Object.keys(row)) columns.add(column);
      if (rows.length * Math.max(1, columns.size) > MAX_CELLS) return { rows, isCut: true };
    }
  return { rows, isCut: false };
}

async function jsonValues(bytes: Buffer): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const item of valuesOf(once(bytes))) if (item.ok) values.push(...item.values);
  const found = values.filter((value) => typeof value === "object" && value !== null);
  const problem = shapeProblem(found);
  if (problem !== undefined) throw new SourceError(problem);
  return found;
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Why JSON has no rows with names for their values, as some programs write it. */
function shapeProblem(values: readonly object[]): string | undefined {
  const [first, second] = values;
  const isListOfLists = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(Array.isArray);
  if (isListOfLists(values) || (first && !second && Object.values(first).some(isListOfLists)))
    return 'has its rows as lists, expected a list of objects, in which each value has a name (in pandas: `to_json(orient="records")`)';
  const around = first && !second ? Object.values(first) : [];
  // What has texts beside it is a part of one record.
  const inside = around.some((each) => typeof each === "string") ? [] : around.filter(isPlain);
  const objects = first && !second ? [first, ...inside] : [];
  if (objects.some((each) => areAlike(Object.values(each)) || areColumns(Object.values(each))))
    return "has its rows, or its columns, as members of one object, expected a list of objects (in pandas: `to_json(orient=\"records\")`; `jq '[.[]]' FILE` makes a list of the members)";
  return undefined;
}

/** Objects that have the members of the widest one, or some of them. */
function areAlike(members: readonly unknown[]): boolean {
  const names = members.map((member) => (isPlain(member) ? Object.keys(member) : []));
  const widest = names.reduce((a, b) => (b.length > a.length ? b : a), []);
  return (
    members.length > 1 &&
    Math.max(members.length, widest.length) > 2 &&
    names.every((each) => each.length > 0 && each.every((name) => widest.includes(name)))
  );
}

/** Lists of texts or numbers, all of one length. */
function areColumns(members: readonly unknown[]): boolean {
  const lengths = new Set(
    members.map((each) => (Array.isArray(each) && !each.some((item) => typeof item === "object") ? each.length : 0)),
  );
  return members.length > 1 && lengths.size === 1 && Math.max(...lengths) > 1;
}

async function textOf(bytes: Buffer, encoding: string): Promise<string> {
  const texts: string[] = [];
  for await (const text of decode(once(bytes), encoding).texts) texts.push(text);
  return texts.join("");
}

async function rowsOf(text: string, dialect: Dialect): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const row of readRows(once(text), dialect)) if (row.ok) rows.push(row.fields);
  return rows;
}

async function* once<T>(piece: T): AsyncGenerator<T> {
  yield piece;
}

/** How many columns the file has if this delimiter is the right one: all rows have as many then. */
function evenWidth(rows: readonly string[][]): number {
  const width = rows[0]?.length ?? 0;
  const even = rows.filter((row) => row.length === width).length;
  return width > 1 && even >= 0.9 * rows.length ? width : 0;
}

/** Throws a SourceError where the lines are a table, and the first one is none of its lines. `tries`: the rows by each delimiter. */
function assertEven(tries: readonly string[][][]): void {
  for (const [first = [], ...rows] of tries) {
    const widths = Map.groupBy(rows, ({ length }) => length);
    const [width = 0, { length: even } = []] = [...widths].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
    if (width < 2 || width === first.length || rows.length < 2 || even < 0.6 * rows.length) continue;
    throw new SourceError(
      `has ${counted(first.length, "column")} in its first line ('${first[0]!.slice(0, 80)}'), and ${width} in the next ones: remove what is above the line with the names, or give each column a name`,
    );
  }
}
