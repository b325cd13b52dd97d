import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { gunzip } from "./gunzip.ts";
import type { SourceItem } from "./item.ts";
import type { Format } from "./formats.ts";
import { readSource } from "./source.ts";

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function read(
  content: string | Buffer,
  options: { format?: Format; size?: number; packed?: boolean } = {},
): Promise<SourceItem[]> {
  const pieces = inPieces(Buffer.from(content), options.size ?? 7);
  const items: SourceItem[] = [];
  for await (const item of readSource({ bytes: options.packed ? gunzip(pieces) : pieces }, options.format))
    items.push(item);
  return items;
}

/** `12: value` or `12: reason`, so that a whole reading is one list. */
const shown = (items: SourceItem[]) =>
  items.map((item) => {
    const place = "line" in item.place ? item.place.line : "element" in item.place ? `#${item.place.element}` : "file";
    return `${place}: ${item.ok ? JSON.stringify(item.values[0]) : item.problems.map(({ reason }) => reason).join("; ")}`;
  });

/** A JSON text of so many bytes. */
const line = (length: number) => `"${"x".repeat(length - 2)}"`;

describe("NDJSON", () => {
  test("gives each line with its number, whatever the pieces it comes in, and passes blank lines over", async () => {
    for (const size of [1, 2, 3, 5, 1000]) {
      expect(shown(await read('{"a":1}\r\n\n  \n{"b":"ü"}', { size }))).toEqual(['1: {"a":1}', '4: {"b":"ü"}']);
    }
  });

  test("a byte order mark is no part of the first line", async () => {
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
  test("are told by their first sign and give their elements by number", async () => {
    for (const size of [1, 3, 1000]) {
      expect(shown(await read('\ufeff \n[{"a":1}, [2],\n "ü"]', { size }))).toEqual([
        '#1: {"a":1}',
        "#2: [2]",
        '#3: "ü"',
      ]);
    }
  });

  test("that break give what stood before", async () => {
    const items = shown(await read('[{"a":1}, {"b" 2}, {"c":3}]'));
    expect(items[0]).toBe('#1: {"a":1}');
    expect(items[1]).toMatch(/^#2: is not JSON: .*; what follows was not read$/);
    expect(items).toHaveLength(2);
  });

  test("that are not closed say so", async () => {
    expect(shown(await read('[{"a":1}, {"b":'))).toEqual([
      '#1: {"a":1}',
      "#2: the array is not closed; what follows was not read",
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
