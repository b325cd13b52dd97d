import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { gunzip } from "./gunzip.ts";
import type { SourceItem } from "./item.ts";
import type { Format } from "./formats.ts";
import { readPieces, readSource } from "./source.ts";

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function collected(items: AsyncIterable<SourceItem>): Promise<SourceItem[]> {
  const all: SourceItem[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function read(
  content: string | Buffer,
  options: { format?: Format; size?: number; packed?: boolean; warn?: (text: string) => void } = {},
): Promise<SourceItem[]> {
  const pieces = inPieces(Buffer.from(content), options.size ?? 7);
  return collected(readPieces({ bytes: options.packed ? gunzip(pieces, options.warn) : pieces }, options.format));
}

/** As `ops ingest` reads it: a file of another kind is one refusal. */
function readFile(content: string | Buffer, format?: Format): Promise<SourceItem[]> {
  return collected(readSource({ bytes: inPieces(Buffer.from(content), 1000) }, format));
}

/** `12: value` or `12: reason`, so that a whole reading is one list. */
const shown = (items: SourceItem[]) =>
  items.map((item) => {
    const location =
      "line" in item.location ? item.location.line : "element" in item.location ? `#${item.location.element}` : "file";
    return `${location}: ${item.ok ? JSON.stringify(item.values[0]) : item.problems.map(({ reason }) => reason).join("; ")}`;
  });

/** A JSON text of this number of bytes. */
const line = (length: number) => `"${"x".repeat(length - 2)}"`;

describe("NDJSON", () => {
  test("gives each line with its number, whatever the pieces it comes in, and passes blank lines over", async () => {
    for (const size of [1, 2, 3, 5, 1000]) {
      expect(shown(await read('{"a":1}\r\n\n  \n{"b":"ü"}', { size }))).toEqual(['1: {"a":1}', '4: {"b":"ü"}']);
    }
  });

  test("a byte order mark is not part of the first line", async () => {
    for (const size of [1, 2, 1000]) expect(shown(await read('\ufeff{"a":1}\n', { size }))).toEqual(['1: {"a":1}']);
  });

  test("a line that is no JSON is refused and the next one is read", async () => {
    const [first, second] = shown(await read('{"a":\n{"b":2}\n'));
    expect(first).toMatch(/^1: is not JSON: /);
    expect(second).toBe('2: {"b":2}');
  });

  test("a line that is no UTF-8 is refused and the next one is read", async () => {
    const content = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n{"b":2}')]);
    expect(shown(await read(content))).toEqual(["1: is not valid UTF-8", '2: {"b":2}']);
  });

  test("a line of more than 1 MiB is refused with its beginning only, one of just 1 MiB is read", async () => {
    const items = await read(`${line(1024 * 1024)}\n${line(1024 * 1024 + 1)}\n1\n`, { size: 65_536 });
    expect(items.map((item) => item.ok)).toEqual([true, false, true]);
    expect(items[1]!.raw!.length).toBeLessThanOrEqual(10_000);
    expect(shown(items)[1]).toBe("2: is longer than 1 MiB");
  });

  test("nothing in it is a refusal of the file", async () => {
    expect(shown(await read(""))).toEqual(["file: has no records"]);
    expect(shown(await read(" \n\n"))).toEqual(["file: has no records"]);
  });
});

describe("JSON arrays", () => {
  test("are recognised by their first character and give their elements by number", async () => {
    for (const size of [1, 3, 1000]) {
      expect(shown(await read('\ufeff \n[{"a":1}, [2],\n "ü"]', { size }))).toEqual([
        '#1: {"a":1}',
        "#2: [2]",
        '#3: "ü"',
      ]);
    }
  });

  test("an element that is not JSON is refused and the next one is read", async () => {
    const broken = '[{"a":1}, {"b" 2}, "\\"]", {"c":3} {"d":4}, {"e":5},, {"f":6],\n\ufffd, "\ufffd", ]';
    for (const size of [1, 2, 3, 1000]) {
      const items = shown(await read(broken, { size }));
      expect(items.map((item) => item.replace(/JSON: .*/, "JSON"))).toEqual([
        '#1: {"a":1}',
        "#2: is not JSON",
        '#3: "\\"]"',
        "#4: is not JSON",
        '#5: {"e":5}',
        "#6: is empty: one comma too many",
        "#7: is not JSON",
        "#8: is not JSON",
        '#9: "\ufffd"',
        "#10: is empty: one comma too many",
      ]);
    }
  });

  test("an element that is not UTF-8, or is longer than 1 MiB, is refused and the next one is read", async () => {
    const bad = Buffer.concat([
      Buffer.from('["'),
      Buffer.from([0xff]),
      Buffer.from(`", ${line(1_100_000)}, "\ufffd"]`),
    ]);
    expect(shown(await read(bad, { size: 65_536 }))).toEqual([
      "#1: is not valid UTF-8",
      "#2: is longer than 1 MiB",
      '#3: "\ufffd"',
    ]);
  });

  test("what follows the array is not read, and that is said", async () => {
    expect(shown(await read('[{"a":1}]\n[{"b":2}]'))).toEqual([
      '#1: {"a":1}',
      "file: has more after the end of its array, which was not read",
    ]);
  });

  test("that are not closed say so", async () => {
    expect(shown(await read('[{"a":1}, {"b":'))).toEqual([
      '#1: {"a":1}',
      "#2: the array is not closed; the rest was not read",
    ]);
  });

  test("that were asked for and are not there are refused", async () => {
    expect(shown(await read('{"a":1}', { format: "json" }))).toEqual([
      "file: begins with '{', expected a JSON array, which begins with '['",
    ]);
  });

  test("an empty one has no records", async () => {
    expect(shown(await read("[]"))).toEqual(["file: has no records"]);
  });
});

describe("nesting", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  test.each([101, 200_000])("of %i levels is refused, and its neighbours are read", async (depth) => {
    const refused = "is nested deeper than 100 levels";
    expect(
      shown(await read(`1\n${nested(depth)}\n{"a":${nested(depth)}}\n2`, { format: "ndjson", size: 65_536 })),
    ).toEqual(["1: 1", `2: ${refused}`, `3: ${refused}`, "4: 2"]);
    expect(shown(await read(`[1,${nested(depth)},2]`, { size: 65_536 }))).toEqual(["#1: 1", `#2: ${refused}`, "#3: 2"]);
  });

  test("of 100 levels is read", async () => {
    expect((await read(`[${nested(100)}]`)).map((item) => item.ok)).toEqual([true]);
  });
});

test("whatever goes wrong while a file is read is a refusal, after all that was read before", async () => {
  const failing = (async function* () {
    yield Buffer.from('{"a":1}\n{"b":2}\n{"c"');
    throw new RangeError("Maximum call stack size exceeded");
  })();
  expect(shown(await collected(readPieces({ bytes: failing }, undefined)))).toEqual([
    '1: {"a":1}',
    '2: {"b":2}',
    "file: could not be read because of an unexpected error: Maximum call stack size exceeded; the rest was not read",
  ]);
});

describe("a file of another kind is one refusal that says what to do", () => {
  const many = (text: string) => Array.from({ length: 1010 }, () => text);
  const utf16 = Buffer.from('{"type":"company"}\n', "utf16le");
  const record = '{"type":"company","id":"a","name":"A"}';

  test.each<[string, string | Buffer, RegExp]>([
    ["CSV", many("name,amount").join("\n"), /^looks like CSV: give a mapping.* --map FILE/],
    ["CSV of one line", "name;amount\n", /--map FILE/],
    ["text", many("hello").join("\n"), /none of its lines is JSON.* --map FILE/],
    ["UTF-16", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16, utf16]), /^is UTF-16, expected UTF-8: `iconv/],
    ["UTF-16 without a mark", Buffer.concat([utf16, utf16]), /^is UTF-16/],
    ["big-endian UTF-16", Buffer.from(Buffer.concat([utf16, utf16])).swap16(), /^is UTF-16/],
    ["pretty-printed JSON", JSON.stringify(JSON.parse(record), null, 2), /line breaks inside its records.*`jq -c/],
    [".xlsx", Buffer.from("504b030414000600080000002100", "hex"), /Excel workbook.*save the sheet as CSV/],
    [".xls", Buffer.from("d0cf11e0a1b11ae100000000", "hex"), /Excel/],
    ["PDF", "%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n", /^is a PDF/],
    ["zstd", Buffer.from("28b52ffd04580000", "hex"), /^is packed with zstd/],
    ["gzip in gzip", gzipSync(record), /^is packed with gzip twice/],
    ["HTML", "<!doctype html>\n<html>\n</html>", /^is HTML or XML/],
    ["NDJSON with CR", many(record).join("\r"), /end with CR alone.*`tr/],
    [
      "an array of other things",
      JSON.stringify(many("x")),
      /none of its first 100 elements has a "type", expected company/,
    ],
    ["an array of other objects", `[${many('{"name":"A"}').join()}]`, /none of its first 100 elements has a "type"/],
    ["lines of another type", many('{"type":"Person"}').join("\n"), /lines has a known "type" \(found "Person"\)/],
  ])("%s", async (_, content, reason) => {
    const items = await readFile(content);
    expect(items).toMatchObject([{ ok: false, location: {} }]);
    expect(shown(items)[0]!.slice("file: ".length)).toMatch(reason);
  });

  test("one whose bad lines only come first is read", async () => {
    const items = await readFile([...many("oops").slice(0, 99), record, "oops"].join("\n"));
    expect(items.map((item) => item.ok)).toEqual([...Array<boolean>(99).fill(false), true, false]);
  });

  test("one with broken records is refused line by line", async () => {
    expect(await readFile(many('{"type":"company","id":').join("\n"))).toHaveLength(1010);
  });
});

describe("gzip", () => {
  const lines = Array.from({ length: 3000 }, (_, i) => JSON.stringify({ i, noise: Math.sin(i) }));
  const packed = gzipSync(`${lines.join("\n")}\n`);

  test("is unpacked whole, several members too", async () => {
    expect(await read(packed, { packed: true, size: 1000 })).toHaveLength(3000);
    expect(await read(Buffer.concat([packed, packed]), { packed: true, size: 1000 })).toHaveLength(6000);
  });

  test("that is cut off gives every whole line before the cut, and refuses the half one with the reason", async () => {
    const items = await read(packed.subarray(0, packed.length / 2), { packed: true, size: 1000 });
    const good = items.filter((item) => item.ok);
    expect(good.length).toBeGreaterThan(1000);
    expect(good.map((item) => item.raw)).toEqual(lines.slice(0, good.length));
    expect(shown(items.slice(good.length))).toEqual([
      `${good.length + 1}: the line is not whole: the gzip file is cut off here`,
      "file: the gzip file is cut off here",
    ]);
  });

  test.each([
    ["text", Buffer.from("garbage")],
    ["a byte", Buffer.from([0x1f])],
    ["zeros and text", Buffer.concat([Buffer.alloc(5000), Buffer.from("garbage")])],
  ])("with %s behind it is read whole, with a warning", async (_, garbage) => {
    for (const size of [997, 1000, 1_000_000]) {
      const warnings: string[] = [];
      const content = Buffer.concat([packed, garbage]);
      const items = await read(content, { packed: true, size, warn: (text) => void warnings.push(text) });
      expect(items.map((item) => item.raw)).toEqual(lines);
      expect(warnings).toEqual([expect.stringContaining("bytes after the end of the gzip data")]);
    }
  });

  test("padded with zeros is read without a warning", async () => {
    const warnings: string[] = [];
    const content = Buffer.concat([packed, Buffer.alloc(1000)]);
    expect(await read(content, { packed: true, size: 999, warn: (text) => void warnings.push(text) })).toHaveLength(
      3000,
    );
    expect(warnings).toEqual([]);
  });

  test("with a name, a comment and more in its header is unpacked", async () => {
    const header = Buffer.from(packed.subarray(0, 10));
    header[3] = 4 + 8 + 16;
    const parts = [header, Buffer.from([2, 0, 1, 2]), Buffer.from("a.ndjson\0hello\0"), packed.subarray(10)];
    expect(await read(Buffer.concat(parts), { packed: true, size: 999 })).toHaveLength(3000);
  });

  test("with much that holds no data is read in one pass", async () => {
    const header = Buffer.from(packed.subarray(0, 10));
    header[3] = 8;
    const size = 64 * 1024;
    const named = Buffer.concat([header, Buffer.alloc(20_000_000, "n"), Buffer.alloc(1), packed.subarray(10)]);
    expect(await read(named, { packed: true, size })).toHaveLength(3000);
    const warnings: string[] = [];
    const padded = Buffer.concat([packed, Buffer.alloc(20_000_000), packed]);
    expect(await read(padded, { packed: true, size, warn: (text) => void warnings.push(text) })).toHaveLength(6000);
    expect(warnings).toEqual([]);
  });

  test("of members without content is refused after the first thousand", async () => {
    const empty = gzipSync("");
    const items = await read(Buffer.concat([packed, ...Array<Buffer>(1001).fill(empty)]), { packed: true, size: 1000 });
    expect(items).toHaveLength(3001);
    expect(shown(items).at(-1)).toBe(
      "file: the gzip file is damaged here: more than 1000 members in a row have no content",
    );
    const between = Buffer.concat([...Array<Buffer>(1000).fill(empty), packed]);
    expect(await read(between, { packed: true, size: 1000 })).toHaveLength(3000);
  });

  test("that is cut off anywhere is refused", async () => {
    for (const length of [2, 9, 11, packed.length - 1, packed.length - 8]) {
      const items = await read(packed.subarray(0, length), { packed: true, size: 1000 });
      expect(shown(items).at(-1)).toBe("file: the gzip file is cut off here");
    }
  });

  test("with a wrong byte says that it is damaged", async () => {
    const damaged = Buffer.from(packed);
    damaged[packed.length - 6]! ^= 0xff;
    const items = await read(damaged, { packed: true, size: 1000 });
    const good = items.filter((item) => item.ok);
    expect(good.length).toBeGreaterThan(1000);
    expect(good.map((item) => item.raw)).toEqual(lines.slice(0, good.length));
    expect(shown(items).at(-1)).toMatch(/^file: the gzip file is damaged here: /);
  });
});
