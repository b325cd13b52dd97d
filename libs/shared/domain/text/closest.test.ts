import { expect, test } from "vitest";
import { closest } from "./closest.ts";

test("a misspelt word has the word as its closest", () => {
  expect(closest("just_rased", ["just_raised", "large_round"])).toBe("just_raised");
});

test("a word that is like none has none", () => {
  expect(closest("zzzz", ["just_raised", "large_round"])).toBeUndefined();
});

test("a word of two letters has none: every other word of two letters would be as close as any", () => {
  expect(closest("eu", ["au", "us", "de"])).toBeUndefined();
});
