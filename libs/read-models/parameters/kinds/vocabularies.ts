import { isSignalKey, SIGNAL_KEYS } from "@tranche/shared/domain/signals/catalogue";
import { closest } from "@tranche/shared/domain/text/closest";
import { keyOf } from "@tranche/shared/domain/text/key";
import { countryCode, countryKeys, countryName } from "@tranche/shared/domain/vocabulary/countries";
import { countryByForeignName } from "./foreign-names.ts";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { shortened } from "../query-string.ts";
import type { Complaint, Kind } from "./kind.ts";
import { itemText, list } from "./list.ts";
import type { ListItem } from "./list-item.ts";
import { countryCodeSchema, dealTypeSchema, signalKeySchema } from "./named-schemas.ts";
import { suggested } from "./suggested.ts";

/** Names to suggest. Codes are left out, because most of them differ from another code by one letter. */
const NAMES = [...countryKeys()].filter((key) => key.length > 3);

/** Keys of country groups that callers often pass as a country. */
const REGIONS: ReadonlySet<string> = new Set(
  "eu european-union europe emea apac latam mena asia africa oceania north-america south-america latin-america middle-east dach nordics benelux world global".split(
    " ",
  ),
);

/** Countries as alpha-2, alpha-3 or English name; the value is alpha-2. */
export function countries(): Kind<ListItem[]> {
  const read = (text: string) => {
    const code = countryCode(text);
    if (code) return { key: code, value: code };
    const key = keyOf(text);
    if (REGIONS.has(key)) return isRegion(text);
    const near = closest(key, NAMES);
    const suggestion = countryByForeignName(text) ?? (near && countryCode(near));
    return unknown("country", text, suggested(suggestion, suggestion && `${countryName(suggestion)} (${suggestion})`));
  };
  return list({ item: countryCodeSchema, sent: itemText, read });
}

/** Deal types by word or alias, in any case, with blanks or hyphens; the value is the vocabulary's word. */
export function dealTypeList(vocabulary: DealTypes): Kind<ListItem[]> {
  const read = (text: string) => {
    const label = keyOf(text);
    const word = label === "" ? undefined : vocabulary.find(text);
    if (word) return { key: word, value: word };
    const suggestion = suggested(closest(label.replaceAll("-", "_"), vocabulary.words));
    return { ...unknown("deal type", text, suggestion), allowed: vocabulary.words };
  };
  return list({ item: dealTypeSchema(vocabulary), read });
}

/** Signal keys, written as in the catalogue. */
export function signalKeys(): Kind<ListItem[]> {
  const read = (text: string) => {
    if (isSignalKey(text)) return { key: text, value: text };
    const suggestion = suggested(closest(keyOf(text.replaceAll("_", "-")).replaceAll("-", "_"), SIGNAL_KEYS));
    return { ...unknown("signal key", text, suggestion), allowed: SIGNAL_KEYS };
  };
  return list({ item: signalKeySchema, read });
}

function isRegion(text: string): Complaint {
  const message = `'${shortened(text)}' is a group of countries, not a country. List its members, such as DE,FR,IT.`;
  return { code: "unknown_value", message, value: shortened(text) };
}

function unknown(noun: string, text: string, suggestion: ReturnType<typeof suggested>): Complaint {
  const value = shortened(text);
  return { code: "unknown_value", message: `Unknown ${noun} '${value}'.`, value, ...suggestion };
}
