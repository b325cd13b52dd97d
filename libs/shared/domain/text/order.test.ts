import fc from "fast-check";
import { expect, test } from "vitest";
import { byCodePoint } from "./order.ts";

test("order by code point is the order of UTF-8 bytes", () => {
  const text = fc.string({ unit: "binary", maxLength: 4 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(byCodePoint(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
    }),
    { seed: 1 },
  );
});

test("signs beyond the basic plane come last", () => {
  expect(["\u{1F600}", "\uFF5E", "z"].toSorted(byCodePoint)).toEqual(["z", "\uFF5E", "\u{1F600}"]);
});
