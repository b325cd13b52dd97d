import { expect, test } from "vitest";
import { decodeEscapes } from "./escapes.ts";

test("bytes that were written as signs become what they mean, with one backslash or two", () => {
  expect(decodeEscapes(String.raw`Women\\xe2\\x80\\x99s`)).toBe("Women’s");
  expect(decodeEscapes(String.raw`Women\xe2\x80\x99s`)).toBe("Women’s");
  expect(decodeEscapes(String.raw`\\xc2\\xa0Noida`)).toBe("\u00a0Noida");
});

test("line ends become blanks", () => {
  expect(decodeEscapes(String.raw`Seed\\nFunding`)).toBe("Seed Funding");
});

test("many backslashes take a time that grows with their number, not with its square", () => {
  const text = "\\".repeat(200_000);
  const start = performance.now();
  expect(decodeEscapes(text)).toBe(text);
  // The square would take minutes.
  expect(performance.now() - start).toBeLessThan(2000);
});

test("bytes that are no UTF-8, and other backslashes, stay", () => {
  expect(decodeEscapes(String.raw`a\\xffb`)).toBe(String.raw`a\\xffb`);
  expect(decodeEscapes(String.raw`C:\dir`)).toBe(String.raw`C:\dir`);
});
