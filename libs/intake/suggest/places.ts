import { countryIn } from "../mapping/country.ts";

/** From this share on the texts of a column end with a country. */
const PLACES_FROM = 0.5;
const CONTINENT = ", *(?:north america|south america|latin america|europe|asia|africa|oceania|middle east)$";
const CONTINENT_READ = new RegExp(CONTINENT, "iu");
/** Codes of two letters are states of the United States, too, and so is Georgia. */
const UNSURE = "(?!u[sk]$)[a-z]{2}|georgia";
const UNSURE_READ = new RegExp(`^(?:${UNSURE})$`, "iu");

/** The country of `Berlin, Germany` or `Austin, Texas, United States, North America`; undefined where a text does not end with one. */
export function countryOfPlace(text: string): string | undefined {
  const last = text.replace(CONTINENT_READ, "").split(",").at(-1)!.trim();
  return UNSURE_READ.test(last) ? undefined : countryIn(last);
}

/** Whether the texts of a column are cities with their countries. */
export const arePlaces = (texts: readonly string[]): boolean =>
  texts.length > 0 &&
  texts.filter((text) => text.includes(",") && countryOfPlace(text) !== undefined).length >= PLACES_FROM * texts.length;

/** Reads the country of a place; null where it does not end with one. */
export const COUNTRY_OF_PLACE = {
  replace: [
    [CONTINENT, ""],
    ["^.*, *", ""],
  ],
  as: "country",
  cases: [[UNSURE, null]],
};

/** A text without a comma may be a country. */
export const PLACE = ".*,.*";
/** Reads the city of a place: what is before its first comma. */
export const CITY_OF_PLACE = { replace: [[" *,.*$", ""]] };
