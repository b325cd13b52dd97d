import { describe, expect, test } from "vitest";
import { line, read, shown } from "../../../tests/support/source-items.ts";

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
