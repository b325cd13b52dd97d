import { expect, test } from "vitest";
import { countryByForeignName } from "./foreign-names.ts";

test.each([
  ["Deutschland", "DE"],
  ["ALLEMAGNE", "DE"],
  ["España", "ES"],
  ["espana", "ES"],
  ["日本", "JP"],
  ["Nederland", "NL"],
  ["Schweiz", "CH"],
])("%s is the name of %s in another language", (name, code) => {
  expect(countryByForeignName(name)).toBe(code);
});

test("no country has a name that no language has", () => {
  expect(countryByForeignName("Atlantis")).toBeUndefined();
});
