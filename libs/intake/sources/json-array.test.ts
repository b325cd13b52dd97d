import { describe, expect, test } from "vitest";
import { line, read, shown } from "../../../tests/support/source-items.ts";

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
