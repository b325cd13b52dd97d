import countries from "i18n-iso-countries";
import english from "i18n-iso-countries/langs/en.json" with { type: "json" };
import { keyOf } from "../text/key.ts";

countries.registerLocale(english);

/** Names in common use that the ISO list spells otherwise. */
const COMMON_NAMES: Record<string, string> = {
  uk: "GB",
  "great-britain": "GB",
  england: "GB",
  scotland: "GB",
  wales: "GB",
  "northern-ireland": "GB",
  america: "US",
  "the-netherlands": "NL",
  holland: "NL",
  korea: "KR",
  "czech-republic": "CZ",
  uae: "AE",
  "ivory-coast": "CI",
  "hong-kong-sar": "HK",
  macau: "MO",
  burma: "MM",
  turkiye: "TR",
  kosovo: "XK",
};

const NAMES = new Map(
  Object.keys(countries.getAlpha2Codes()).map((alpha2) => [
    alpha2,
    countries.getName(alpha2, "en", { select: "official" }) ?? alpha2,
  ]),
);

const BY_KEY = new Map<string, string>();
for (const alpha2 of NAMES.keys()) {
  for (const name of countries.getName(alpha2, "en", { select: "all" }) ?? []) BY_KEY.set(keyOf(name), alpha2);
}
for (const [alpha2, alpha3] of Object.entries(countries.getAlpha2Codes())) {
  BY_KEY.set(alpha2.toLowerCase(), alpha2);
  BY_KEY.set(alpha3.toLowerCase(), alpha2);
}
for (const [name, alpha2] of Object.entries(COMMON_NAMES)) BY_KEY.set(name, alpha2);

/** ISO 3166-1 alpha-2 of a country given as alpha-2, alpha-3 or English name in any case; undefined when it is none. */
export function countryCode(text: string): string | undefined {
  return BY_KEY.get(keyOf(text));
}

/** English name of an alpha-2 code. */
export function countryName(alpha2: string): string {
  return NAMES.get(alpha2) ?? alpha2;
}

/** Everything a country may be called, as keys: what a misspelt one is compared with. */
export function countryKeys(): Iterable<string> {
  return BY_KEY.keys();
}
