import { expect, test } from "vitest";
import { givenName } from "./given-name.ts";

test.each([
  ["", "The name must not be empty."],
  [" ", "The name must not be empty."],
  ["x".repeat(201), "The name is 201 characters long, at most 200 are allowed: shorten it."],
  ["a\u0007b", "The name has a control character (U+0007): remove it or write a space."],
  [undefined, "Enter a name."],
])("%j is no name", (given, message) => {
  expect(givenName.safeParse(given).error?.issues[0]?.message).toBe(message);
});

test("a name is taken without the blanks around it, and its characters are counted as people count them", () => {
  expect(givenName.parse("  nightly export ")).toBe("nightly export");
  expect(givenName.parse("🚀".repeat(200))).toBe("🚀".repeat(200));
});
