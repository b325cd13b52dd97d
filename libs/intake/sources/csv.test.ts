import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { expect, test } from "vitest";
import { parseMapping } from "../mapping/mapping.ts";
import { csvReader } from "./csv.ts";
import { readRows } from "./csv-rows.ts";
import { decode } from "./decoded.ts";
import type { SourceItem } from "./item.ts";
import { readSource } from "./source.ts";

const VOCABULARY = { dealTypes: dealTypes(), today: "2026-01-01" };
const MAPPING = {
  values: { name: { column: "name" }, amount: { column: "amount", as: "amount" } },
  records: [{ type: "company", fields: { id: "{name}", name: "{name}", headcount: "{amount}" } }],
};

async function* pieces(content: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function read(content: string | Buffer, mapping: object = {}, size = 1000): Promise<SourceItem[]> {
  const reader = csvReader(parseMapping({ ...MAPPING, ...mapping }), VOCABULARY);
  return collected(readSource({ bytes: pieces(content, size) }, "csv", reader));
}

const ids = (items: SourceItem[]) =>
  items.flatMap((item) => (item.ok ? item.values.map((value) => (value as { id: string }).id) : []));

test.each([["\n"], ["\r\n"], ["\r"]])(
  "reads lines that end in %j, quoted fields and a byte order mark",
  async (end) => {
    const items = await read(`\ufeffname,amount${end}"a, b",1${end}c,2${end}`);
    expect(ids(items)).toEqual(["a, b", "c"]);
    expect(items.map((item) => item.location)).toEqual([{ line: 2 }, { line: 3 }]);
  },
);

test("the reader takes the bytes by the mapping's encoding", async () => {
  const macRoman = Buffer.concat([Buffer.from("name,amount\rSoci"), Buffer.from([0x8e]), Buffer.from(",5")]);
  expect(ids(await read(macRoman, { encoding: "macroman", line_ends: "cr" }))).toEqual(["Soci\u00e9"]);
});

test("a row with a wrong value or number of columns is refused with its line, and the next is read", async () => {
  const items = await read("name,amount\na,lots\nb\nc,3\n");
  expect(
    items.map((item) =>
      item.ok ? "good" : `${JSON.stringify(item.location)} ${item.problems[0]!.field}: ${item.problems[0]!.reason}`,
    ),
  ).toEqual([
    `{"line":2} amount: 'lots' is not a valid amount: it has no digits`,
    `{"line":3} : has 1 column, expected 2`,
    "good",
  ]);
});

test("a file without a column that the mapping names is refused, and the columns it has are named", async () => {
  const items = await read("nom,amount\na,1\n");
  expect(items).toMatchObject([
    {
      ok: false,
      problems: [{ reason: "has no column 'name', which the mapping names. Its columns: 'nom', 'amount'" }],
    },
  ]);
});

/** `3 reason` for what is refused. */
const refusals = (items: SourceItem[]) =>
  items.flatMap((item) =>
    item.ok
      ? []
      : [`${"line" in item.location ? item.location.line : "file"} ${item.problems[0]!.reason.slice(0, 40)}`],
  );

const STRAY = "has a quote inside a field that does not";
const OPEN = "opens a quote that is not closed before ";
const AFTER = "has text after a closing quote: double q";

test.each([
  ["a stray quote", 'a,1\nThe 5" Screen,2\nb,3\n', ["a", "b"], [`3 ${STRAY}`]],
  ["text after a closing quote", 'a,1\n"Ac"me,2\nb,3\n', ["a", "b"], [`3 ${AFTER}`]],
  ["an unclosed quote, and no other quote after it", 'a,1\n"b,2\nc,3\nd,4', ["a", "c", "d"], [`3 ${OPEN}`]],
  ["an unclosed quote before quoted fields", 'a,1\n"b,2\nc,3\n"d, e","4"\nf,5', ["a", "c", "d, e", "f"], [`3 ${OPEN}`]],
  ["an unclosed quote in the last field", 'a,"1\nb,2\n"c\nd",3\n', ["b", "c d"], [`2 ${OPEN}`]],
  ["two unclosed quotes", 'a,1\n"b,2\nc,3\n"d,4\ne,5\n"f\ng",6\n', ["a", "c", "e", "f g"], [`3 ${OPEN}`, `5 ${OPEN}`]],
  ["an unclosed quote that a stray one would close", '"b,2\nc,3\nd 4"\ne,5\n', ["c", "e"], [`2 ${OPEN}`, `4 ${STRAY}`]],
  ["a quote at the very end", 'a,1\nb,"', ["a"], [`3 ${OPEN}`]],
])("%s costs one row", async (_, rows, good, refused) => {
  for (const size of [1, 2, 7, 1000]) {
    const items = await read(`name,amount\n${rows}`, {}, size);
    expect(ids(items)).toEqual(good);
    expect(refusals(items)).toEqual(refused);
  }
});

test.each([
  ["a line", "x".repeat(1_100_000)],
  ["a line that is longer than can be inspected", "x".repeat(9_000_000)],
  ["a quoted field over several lines", `"${"xxxx\n".repeat(250_000)}"`],
])("%s that is longer than 1 MiB costs one row", { timeout: 30_000 }, async (_, field) => {
  const items = await read(`name,amount\na,1\n${field},2\nb,3\n`, {}, 65_536);
  expect(ids(items)).toEqual(["a", "b"]);
  expect(refusals(items)).toEqual(["3 is longer than 1 MiB"]);
  expect(items.find((item) => !item.ok)!.raw!.length).toBeLessThanOrEqual(10_000);
  expect(items.at(-1)!.location).toEqual({ line: 3 + field.split("\n").length });
});

test("an unclosed quote in a large file costs one row, however long the file is", { timeout: 30_000 }, async () => {
  const rows = Array.from({ length: 40_000 }, (_, i) => `${"x".repeat(250)}${i},${i}\n`);
  const items = await read(`name,amount\n"a,1\n${rows.join("")}`, {}, 65_536);
  expect(refusals(items)).toEqual([`2 ${OPEN}`]);
  expect(ids(items)).toHaveLength(40_000);
  expect(items.at(-1)!.location).toEqual({ line: 40_002 });
});

test("quote, escape and delimiter are the mapping's", async () => {
  expect(ids(await read("name;amount\n'a; ''b'' ';1\n", { quote: "'", delimiter: ";" }))).toEqual(["a; 'b'"]);
  expect(ids(await read(String.raw`name,amount${"\n"}"a \"b\" \\ \n",1`, { escape: "\\" }))).toEqual([
    String.raw`a "b" \ \n`,
  ]);
  expect(ids(await read('name\tamount\nThe 5" Screen\t1\n"b\t2\n', { quote: null, delimiter: "\t" }))).toEqual([
    'The 5" Screen',
    '"b',
  ]);
  for (const wrong of [{ quote: "''" }, { escape: "\n" }, { delimiter: '"' }, { delimiter: "\n" }])
    expect(() => parseMapping({ ...MAPPING, ...wrong })).toThrow(/quote|escape|delimiter/);
});

test("U+FFFD that the file holds is text; bytes that are not valid refuse their row", async () => {
  const bad = Buffer.concat([
    Buffer.from("name,amount\n\ufffdb\ufffd,1\nc"),
    Buffer.from([0xff]),
    Buffer.from("\ufffd,2\nd"),
    Buffer.from([0xe2, 0x82]),
    Buffer.from(",3\n\u20ace,4\n\ufffd,5\n"),
  ]);
  for (const size of [1, 2, 3, 1000]) {
    const items = await read(bad, {}, size);
    expect(ids(items)).toEqual(["\ufffdb\ufffd", "\u20ace", "\ufffd"]);
    expect(refusals(items)).toEqual(["3 is not valid utf8", "4 is not valid utf8"]);
    expect(items.every((item) => item.raw!.isWellFormed())).toBe(true);
  }
});

test("a file with two columns of the same name is refused, with the name", async () => {
  expect(refusals(await read("name,amount,,name,\na,1,,b,\n"))).toEqual([
    "file has more than one column 'name': give ea",
  ]);
});

test("a file with another delimiter is refused, with the delimiter that it seems to have", async () => {
  const [item] = await read("name;amount\na;1\n");
  expect(item).toMatchObject({
    problems: [{ reason: expect.stringContaining('Does ";" separate them? Then set "delimiter" in the mapping') }],
  });
});

test("a row on which the mapping fails unexpectedly is refused, and the next is read", async () => {
  const mapping = parseMapping(MAPPING);
  let calls = 0;
  Object.defineProperty(mapping, "decode_escapes", {
    get() {
      if (calls++ === 0) throw new Error("a bug");
      return false;
    },
  });
  const items = await collected(csvReader(mapping, VOCABULARY).read(pieces("name,amount\na,1\nb,2\n", 100)));
  expect(refusals(items)).toEqual(["2 could not be read because of an unexpect"]);
  expect(ids(items)).toEqual(["b"]);
});

const CELL = fc.constantFrom("a", "\u00fc", "\u{1f600}", '"', ",", "\n", "\r", " ");

test("the reader reads every valid file as csv-parse does, whatever pieces it comes in", async () => {
  const cell = fc.string({ unit: CELL, maxLength: 6 });
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 });
  const end = fc.constantFrom("\n", "\r\n", "\r");
  const written = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  await fc.assert(
    fc.asyncProperty(table, end, fc.boolean(), fc.integer({ min: 1, max: 9 }), async (rows, lineEnd, last, size) => {
      const csv = rows.map((row) => row.map(written).join(",")).join(lineEnd) + (last ? lineEnd : "");
      const dialect = { delimiter: ",", quote: '"', escape: '"', lineEnds: "any" as const };
      const found = await collected(readRows(decode(pieces(csv, size), "utf8").texts, dialect));
      expect(found.map((row) => row.ok && row.fields)).toEqual(
        parse(csv, { record_delimiter: ["\r\n", "\n", "\r"], skip_empty_lines: true }),
      );
    }),
    { numRuns: 300 },
  );
});

test("every line of any text belongs to exactly one row, good or bad", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\n"), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (csv, size) => {
      const dialect = { delimiter: ",", quote: '"', escape: '"', lineEnds: "lf" as const };
      const found = await collected(readRows(decode(pieces(csv, size), "utf8").texts, dialect));
      const lines = found.flatMap(({ line, raw }) => raw.split("\n").map((content, index) => [line + index, content]));
      const inRows = new Set(lines.map(([number]) => number));
      const all = csv.split("\n").map((content, index) => [index + 1, content] as const);
      expect(lines).toEqual(all.filter(([number, content]) => content !== "" || inRows.has(number)));
    }),
    { numRuns: 1000 },
  );
});
