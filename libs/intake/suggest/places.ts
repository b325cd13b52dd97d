import { countryIn } from "../mapping/country.ts";

type Replace = readonly (readonly [string, string])[];

/** From this share on the texts of a column end with a country. */
const PLACES_FROM = 0.5;
const CONTINENT = ", ?(?:north america|south america|latin america|europe|asia|africa|oceania|middle east)$";
const CONTINENT_READ = new RegExp(CONTINENT, "iu");
/** Codes of two letters are states of the United States, too, and so is Georgia. */
const UNSURE = "(?!u[sk]$)[a-z]{2}|georgia";
const UNSURE_READ = new RegExp(`^(?:${UNSURE})$`, "iu");

/** `Berlin (Germany)` is `Berlin, Germany`. */
const BRACKETS: [string, string] = [" ?\\(([^()]*)\\)$", ", $1"];
const BRACKETS_READ = new RegExp(BRACKETS[0], "u");
const withComma = (text: string) => text.replace(BRACKETS_READ, BRACKETS[1]);

/** The country of `Berlin, Germany` or `Austin, Texas, United States, North America`; undefined where a text does not end with one. */
export function countryOfPlace(text: string): string | undefined {
  const last = withComma(text).replace(CONTINENT_READ, "").split(",").at(-1)!.trim();
  return UNSURE_READ.test(last) ? undefined : countryIn(last);
}

/** Whether the texts of a column are cities with their countries. */
export const arePlaces = (texts: readonly string[]): boolean =>
  texts.length > 0 &&
  texts.filter((text) => withComma(text).includes(",") && countryOfPlace(text) !== undefined).length >=
    PLACES_FROM * texts.length;

/** Reads the country of a place; null where it does not end with one. */
export const countryOf = (off: Replace) => ({
  replace: [...off, BRACKETS, [CONTINENT, ""], ["^.*, ?", ""]],
  as: "country",
  cases: [[UNSURE, null]],
});

/** A text without a comma may be a country. */
export const PLACE = ".*[,(].*";
/** Reads the city of a place: what is before its first comma. */
export const cityOfPlace = (off: Replace) => ({ replace: [...off, BRACKETS, [" ?,.*$", ""]] });
