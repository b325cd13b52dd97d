import countries from "i18n-iso-countries";
import english from "i18n-iso-countries/langs/en.json" with { type: "json" };
import { keyOf } from "../text/key.ts";
import { FURTHER_NAMES, OFFICIAL_FORMS } from "./country-names.ts";

countries.registerLocale(english);

const CODES = Object.entries(countries.getAlpha2Codes());

const NAMES = new Map(
  CODES.map(([alpha2]) => [alpha2, countries.getName(alpha2, "en", { select: "official" }) ?? alpha2]),
);

const LITTLE_WORDS: ReadonlySet<string> = new Set(["the", "of", "and"]);

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ["dem", "democratic"],
  ["fed", "federated"],
  ["is", "islands"],
  ["rep", "republic"],
  ["st", "saint"],
  ["sts", "states"],
]);

const BY_CODE = new Map(CODES.flatMap(([alpha2, alpha3]) => [alpha2, alpha3].map((code) => [keyOf(code), alpha2])));

/** By the keys of names. Own names come last, because they decide where the library gives a name to two countries. */
const BY_NAME = new Map<string, string>();
for (const [alpha2] of CODES) {
  for (const name of countries.getName(alpha2, "en", { select: "all" }) ?? []) BY_NAME.set(keyOf(name), alpha2);
}
for (const [alpha2, names] of Object.entries(FURTHER_NAMES)) for (const name of names) BY_NAME.set(keyOf(name), alpha2);

const BY_WORDS = new Map<string, string>();
for (const [key, alpha2] of BY_NAME) BY_WORDS.set(wordsOf(key), alpha2);
for (const [form, listed] of Object.entries(OFFICIAL_FORMS)) {
  const states = new Set(listed.split(" "));
  for (const [key, alpha2] of BY_NAME) if (states.has(alpha2)) BY_WORDS.set(wordsOf(`${keyOf(form)}-${key}`), alpha2);
}

/**
 * ISO 3166-1 alpha-2 code (or XK, Kosovo) of a country given as alpha-2, alpha-3 or English name; undefined when it is not one. Names are
 * compared by key, and the order of their words does not matter: `Bolivia, Plurinational State of`.
 */
export function countryCode(text: string): string | undefined {
  const key = keyOf(text);
  return BY_CODE.get(key) ?? BY_NAME.get(key) ?? BY_WORDS.get(wordsOf(key));
}

/** English name of an alpha-2 code. */
export function countryName(alpha2: string): string {
  return NAMES.get(alpha2) ?? alpha2;
}

/** Codes and short names of all countries, as keys; a misspelt one is compared with them. */
export function countryKeys(): Iterable<string> {
  return [...BY_CODE.keys(), ...BY_NAME.keys()];
}

/** The words of a key that matter, in alphabetical order. */
function wordsOf(key: string): string {
  const words = initialsJoined(key)
    .split("-")
    .filter((word) => !LITTLE_WORDS.has(word));
  // A word alone may be a code: `is` is Iceland.
  const written = words.length > 1 ? words.map((word) => ABBREVIATIONS.get(word) ?? word) : words;
  return written.toSorted().join(" ");
}

/** `u-s-virgin-islands` as `us-virgin-islands`. */
function initialsJoined(key: string): string {
  return key.replaceAll(/(?<=(?:^|-)\p{L})-(?=\p{L}(?:-|$))/gu, "");
}
