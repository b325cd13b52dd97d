import countries from "i18n-iso-countries";
import { keyOf } from "@tranche/shared/domain/text/key";

/** Languages in which callers often name countries. */
const LANGUAGES = ["de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "cs", "tr", "ru", "uk", "zh", "ja", "ko"];

/** Built on first use, because few callers write country names in another language. */
let byKey: Map<string, string> | undefined;

/** Alpha-2 code of the country with this name in a language other than English. */
export function countryByForeignName(text: string): string | undefined {
  byKey ??= foreignNames();
  return byKey.get(keyOf(text));
}

function foreignNames(): Map<string, string> {
  const codes = Object.keys(countries.getAlpha2Codes());
  const names = new Map<string, string>();
  for (const language of LANGUAGES) {
    const regions = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of codes) {
      const name = regions.of(code);
      if (name && !names.has(keyOf(name))) names.set(keyOf(name), code);
    }
  }
  return names;
}
