import countries from "i18n-iso-countries";
import english from "i18n-iso-countries/langs/en.json" with { type: "json" };
import { iso31661 } from "iso-3166";
import { describe, expect, test } from "vitest";
import { FURTHER_NAMES, OFFICIAL_FORMS } from "./country-names.ts";
import { countryCode, countryName } from "./countries.ts";

countries.registerLocale(english);

const CODES = Object.keys(countries.getAlpha2Codes());
type Names = [code: string, name: string][];
const misread = (names: Names) => names.filter(([code, name]) => countryCode(name) !== code);

const LIBRARY: Names = CODES.flatMap((code) =>
  (countries.getName(code, "en", { select: "all" }) ?? []).map((name): [string, string] => [code, name]),
);
const CLDR: Names = (["long", "short", "narrow"] as const).flatMap((style) => {
  const names = new Intl.DisplayNames(["en"], { type: "region", style, fallback: "none" });
  return CODES.map((code): [string, string] => [code, names.of(code)!]);
});
const ISO: Names = iso31661.map(({ alpha2, name }) => [alpha2, name]);
const OWN: Names = Object.entries(FURTHER_NAMES).flatMap(([code, names]) =>
  names.map((name): [string, string] => [code, name]),
);

describe("a country has the names of", () => {
  test.each([
    // Two countries have this name in the library; ISO gives it to CG.
    ["i18n-iso-countries", LIBRARY.filter(([code, name]) => code !== "CD" || name !== "Congo")],
    ["CLDR", CLDR],
    ["ISO 3166-1, inverted ones too", ISO],
    ["our own table", OWN],
  ])("%s", (_, names) => {
    expect(names.length).toBeGreaterThan(150);
    expect(misread(names)).toEqual([]);
  });

  test("the lists above in any case, without marks, and with other signs between the words", () => {
    const written = [...LIBRARY.filter(([code]) => code !== "CD"), ...CLDR, ...ISO].flatMap(([code, name]): Names => [
      [code, name.toUpperCase()],
      [code, name.normalize("NFD").replaceAll(/\p{M}/gu, "")],
      [code, ` ${name.replaceAll(" and ", " & ").replaceAll(" ", "  ")} `],
      [code, name.replaceAll("Saint ", "St. ")],
      [code, `${name} (the)`],
    ]);
    expect(misread(written)).toEqual([]);
  });
});

test("no two countries share a name, in whatever order its words are", () => {
  const codes = new Map<string, Set<string>>();
  for (const [code, name] of [...LIBRARY, ...CLDR, ...ISO, ...OWN]) {
    const words = name
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .toSorted()
      .join(" ");
    codes.set(words, (codes.get(words) ?? new Set()).add(code));
  }
  expect([...codes].filter(([, { size }]) => size > 1).map(([name]) => name)).toEqual(["congo"]);
});

test("every code is that country's, and a name is never a code of another one", () => {
  for (const [alpha2, alpha3] of Object.entries(countries.getAlpha2Codes())) {
    expect([countryCode(alpha2), countryCode(alpha3.toLowerCase())]).toEqual([alpha2, alpha2]);
  }
});

test("official forms are those of countries", () => {
  const listed = Object.values(OFFICIAL_FORMS).flatMap((codes) => codes.split(" "));
  expect(listed.filter((code) => !CODES.includes(code))).toEqual([]);
});

test.each([
  ["us", "US"],
  ["U.S.", "US"],
  ["U.S.A.", "US"],
  ["America", "US"],
  ["UK", "GB"],
  ["U.K.", "GB"],
  ["gbr", "GB"],
  ["United Kingdom of Great Britain and Northern Ireland", "GB"],
  ["Scotland", "GB"],
  ["UAE", "AE"],
  ["U.A.E.", "AE"],
  ["Côte d'Ivoire", "CI"],
  ["Cote d’Ivoire", "CI"],
  ["Ivory Coast", "CI"],
  ["Eastern Republic of Uruguay", "UY"],
  ["Rwandese Republic", "RW"],
  ["south korea", "KR"],
  ["Korea, Rep.", "KR"],
  ["Korea, Dem. People's Rep.", "KP"],
  ["Democratic People's Republic of Korea", "KP"],
  ["Czech Republic", "CZ"],
  ["Slovak Republic", "SK"],
  ["Türkiye", "TR"],
  ["Republic of Turkey", "TR"],
  ["Viet Nam", "VN"],
  ["Cabo Verde", "CV"],
  ["Cape Verde", "CV"],
  ["Bolivia, Plurinational State of", "BO"],
  ["Bolivia (Plurinational State of)", "BO"],
  ["Venezuela, Bolivarian Republic of", "VE"],
  ["Iran (Islamic Republic of)", "IR"],
  ["Tanzania, United Republic of", "TZ"],
  ["Micronesia, Fed. Sts.", "FM"],
  ["Laos", "LA"],
  ["Lao PDR", "LA"],
  ["Moldova", "MD"],
  ["Republic of Moldova", "MD"],
  ["Syria", "SY"],
  ["Brunei", "BN"],
  ["Macedonia", "MK"],
  ["The former Yugoslav Republic of Macedonia", "MK"],
  ["Burma", "MM"],
  ["Swaziland", "SZ"],
  ["East Timor", "TL"],
  ["Zaire", "CD"],
  ["British Virgin Islands", "VG"],
  ["U.S. Virgin Islands", "VI"],
  ["Virgin Islands (U.S.)", "VI"],
  ["Hong Kong SAR, China", "HK"],
  ["Macau", "MO"],
  ["Taiwan, Province of China", "TW"],
  ["Republic of Ireland", "IE"],
  ["Federal Republic of Germany", "DE"],
  ["Republic of France", "FR"],
  ["Kingdom of Saudi Arabia", "SA"],
  ["Holy See", "VA"],
  ["Vatican City", "VA"],
  ["State of Palestine", "PS"],
  ["Kosovo", "XK"],
  ["Congo", "CG"],
  ["Congo, Rep.", "CG"],
  ["Republic of the Congo", "CG"],
  ["Congo-Brazzaville", "CG"],
  ["DR Congo", "CD"],
  ["Congo, Dem. Rep.", "CD"],
  ["Congo, Democratic Republic of the", "CD"],
  ["Democratic Republic of Congo", "CD"],
  ["St. Vincent & the Grenadines", "VC"],
  ["Dominica", "DM"],
  ["Dominican Republic", "DO"],
  ["Guinea, Republic of", "GN"],
  ["Equatorial Guinea", "GQ"],
])("%s is %s", (name, code) => {
  expect(countryCode(name)).toBe(code);
});

test.each([
  ["of no country", "Atlantis"],
  ["of no country", "ZZ"],
  ["that is empty", ""],
  ["that is empty", "!!"],
  ["of little words", "of the"],
  ["of a form alone", "Republic of"],
  ["of two countries", "US,DE"],
  ["of two countries", "Virgin Islands"],
  ["of a region", "EU"],
  ["of a former state", "Yugoslavia"],
  ["of a code with a form", "Republic of AL"],
])("a name %s (%s) gives none", (_, name) => {
  expect(countryCode(name)).toBeUndefined();
});

test("a code has its English name", () => {
  expect(countryName("DE")).toBe("Germany");
});
