import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { read, shown } from "../../../tests/support/source-items.ts";

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
