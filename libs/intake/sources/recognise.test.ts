import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readFile, shown } from "../../../tests/support/source-items.ts";

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
