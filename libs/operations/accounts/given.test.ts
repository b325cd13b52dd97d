import { expect, test } from "vitest";
import { givenExpiry, givenName } from "./given.ts";

test("a key expires at the beginning of a day that is yet to come", () => {
  expect(givenExpiry.parse("2999-01-31")).toBe("2999-01-31T00:00:00.000Z");
});

test.each([
  ["2001-01-01", "must be in the future"],
  [new Date().toISOString().slice(0, 10), "must be in the future"],
  ["2999-02-30", "Enter a date of the calendar"],
  ["tomorrow", "Enter a date of the calendar"],
])("%s is no such day", (given, message) => {
  expect(givenExpiry.safeParse(given).error?.issues[0]?.message).toContain(message);
});

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
