import { countryCode } from "@tranche/shared/domain/vocabulary/countries";
import { keyOf } from "@tranche/shared/domain/text/key";

const LANGUAGES =
  "de fr es it pt nl sv da nb fi pl cs sk hu ro bg el tr ru uk ar he fa hi th vi id ms ja ko zh zh-Hant hr sl sr lt lv et ca".split(
    " ",
  );
const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");

/** What people write in these languages beside the names of CLDR. */
const EVERYDAY: Readonly<Record<string, readonly string[]>> = {
  AE: ["VAE", "Emirate", "ОАЭ"],
  CN: ["VR China", "Volksrepublik China"],
  CZ: ["Tschechische Republik", "République tchèque", "República Checa", "Repubblica Ceca", "Česká republika"],
  DE: ["BRD", "Bundesrepublik Deutschland"],
  GB: [
    "Großbritannien",
    "Grande-Bretagne",
    "Angleterre",
    "Gran Bretaña",
    "Inglaterra",
    "Gran Bretagna",
    "Inghilterra",
    "Grã-Bretanha",
    "Groot-Brittannië",
    "Engeland",
    "Iso-Britannia",
    "Velká Británie",
    "Veľká Británia",
    "Nagy-Britannia",
    "Marea Britanie",
  ],
  HK: ["香港"],
  NL: ["Hollande", "Holanda", "Olanda"],
  KR: ["Южная Корея"],
  RU: ["Russische Föderation", "Fédération de Russie", "Federación de Rusia"],
  SK: ["Slowakische Republik"],
  TW: ["台湾", "臺灣"],
  US: [
    "Vereinigte Staaten von Amerika",
    "États-Unis d'Amérique",
    "Estados Unidos de América",
    "EEUU",
    "EE. UU.",
    "EUA",
    "США",
    "ABD",
    "米国",
    "Stati Uniti d'America",
    "Verenigde Staten van Amerika",
  ],
};

let names: ReadonlyMap<string, string> | undefined;

/** A country's code or name in any of many languages, also `Germany (DE)`, as its ISO 3166-1 code; undefined when it is not one. */
export function countryIn(text: string): string | undefined {
  const name = text.replace(/ ?\([A-Z]{2,3}\)$/, "");
  return countryCode(name) ?? (names ??= foreignNames()).get(keyOf(name));
}

/** Codes by the keys of names. A name that languages use for different countries is none. */
function foreignNames(): ReadonlyMap<string, string> {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => countryCode(code) === code,
  );
  const found = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const language of LANGUAGES) {
    const shown = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of codes) {
      const key = keyOf(shown.of(code) ?? "");
      if (key === "") continue;
      if ((found.get(key) ?? code) !== code) ambiguous.add(key);
      found.set(key, code);
    }
  }
  for (const key of ambiguous) found.delete(key);
  for (const [code, everyday] of Object.entries(EVERYDAY)) for (const name of everyday) found.set(keyOf(name), code);
  return found;
}
