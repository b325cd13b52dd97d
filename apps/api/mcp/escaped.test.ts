import fc from "fast-check";
import { expect, test } from "vitest";
import { escapedJson } from "./escaped.ts";

test("escaped JSON means the same", () => {
  const character = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
  fc.assert(
    fc.property(fc.array(fc.string({ unit: character })), (texts) => {
      expect(JSON.parse(escapedJson(JSON.stringify(texts)))).toEqual(texts);
    }),
  );
});

test("nothing hidden is left, and nothing else is changed", () => {
  expect(escapedJson(`"\u0085\u200f\u202e\u2066\u2028\u061c${String.fromCodePoint(0xe0041)}"`)).toBe(
    String.raw`"\u0085\u200f\u202e\u2066\u2028\u061c\udb40\udc41"`,
  );
  const plain = JSON.stringify("Zürich 北京 👩‍💻 می‌خواهم\n");
  expect(escapedJson(plain)).toBe(plain);
});
