import { expect, test } from "vitest";
import { countryCode, countryName } from "./countries.ts";

test.each([
  ["us", "US"],
  ["USA", "US"],
  ["United States", "US"],
  ["UNITED STATES OF AMERICA", "US"],
  ["UK", "GB"],
  ["gbr", "GB"],
  ["Côte d'Ivoire", "CI"],
  ["south korea", "KR"],
  ["Czech Republic", "CZ"],
  ["Türkiye", "TR"],
])("%s is %s", (name, code) => {
  expect(countryCode(name)).toBe(code);
});

test.each(["Atlantis", "ZZ", "", "US,DE"])("%s is no country", (name) => {
  expect(countryCode(name)).toBeUndefined();
});

test("a code has its English name", () => {
  expect(countryName("DE")).toBe("Germany");
});
