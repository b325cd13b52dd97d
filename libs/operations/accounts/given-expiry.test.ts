import { expect, test } from "vitest";
import { givenExpiry } from "./given-expiry.ts";

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
