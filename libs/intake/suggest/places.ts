import { countryIn } from "../mapping/country.ts";
import { replaced } from "./taken-off.ts";

type Replace = readonly (readonly [string, string])[];
/** Where a place has its country. */
export type PlaceOrder = "country_last" | "country_first";

/** From this share on the texts of a column are places. */
const PLACES_FROM = 0.5;
const CONTINENT = ", ?(?:north america|south america|latin america|europe|asia|africa|oceania|middle east)$";
/** Codes of two letters are states of the United States, too, and so is Georgia. */
const UNSURE = "(?!u[sk]$)[a-z]{2}|georgia";
const UNSURE_READ = new RegExp(`^(?:${UNSURE})$`, "iu");

/** `Berlin (Germany)`, `Berlin | Germany` and `Berlin - Germany` are `Berlin, Germany`. */
const WITH_COMMAS: Replace = [
  [" ?\\(([^()]*)\\)$", ", $1"],
  [" ?\\| ?| [-–/·] ", ", "],
];
const LAST: Replace = [["^.*, ?", ""]];
const FIRST: Replace = [[" ?,[^]*$", ""]];
const lastOf = (text: string) => replaced(text, [...WITH_COMMAS, [CONTINENT, ""], ...LAST]);
const firstOf = (text: string) => replaced(text, [...WITH_COMMAS, ...FIRST]);

/** The country of `Berlin, Germany` or `Austin, Texas, United States, North America`; undefined where a text does not end with one. */
export function countryOfPlace(text: string): string | undefined {
  const last = lastOf(text);
  return UNSURE_READ.test(last) ? undefined : countryIn(last);
}

/** Where the texts of a column have the country beside the city, or a state; undefined where they are no such places. */
export function placeOrder(texts: readonly string[]): PlaceOrder | undefined {
  const places = texts.filter((text) => IS_PLACE.test(text));
  const ends = places.filter((text) => UNSURE_READ.test(lastOf(text)) || countryIn(lastOf(text)) !== undefined);
  const begins = places.filter((text) => !UNSURE_READ.test(firstOf(text)) && countryIn(firstOf(text)) !== undefined);
  const least = Math.max(1, PLACES_FROM * texts.length);
  return ends.length >= least ? "country_last" : begins.length >= least ? "country_first" : undefined;
}

/** Reads the country of a place; null where it has none. */
export const countryOf = (off: Replace, order: PlaceOrder) => ({
  replace: [...off, ...WITH_COMMAS, ...(order === "country_last" ? [[CONTINENT, ""], ...LAST] : FIRST)],
  as: "country",
  cases: [[UNSURE, null]],
});

/** A text of one part may be a country. */
const BETWEEN = "[,(|]| [-–/·] ";
export const PLACE = `.*(?:${BETWEEN}).*`;
const IS_PLACE = new RegExp(BETWEEN, "u");
/** Reads the city of a place. */
export const cityOfPlace = (off: Replace, order: PlaceOrder) => ({
  replace: [...off, ...WITH_COMMAS, ...(order === "country_last" ? FIRST : LAST)],
});
