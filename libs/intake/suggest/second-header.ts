import { keyOf } from "@tranche/shared/domain/text/key";
import type { Sample } from "./sample.ts";

/** Words that name columns, and are hardly values of a row. */
const NAMES =
  /^(?:(?:company|startup|firm|organi[sz]ation)?-?name|company|startup|date|day|year|amount|raised|city|country|region|currency|investors?|lead(?:-investors?)?|round|type|stage|series|sector|industry|website|url|id|firma|unternehmen|datum|betrag|stadt|ort|land|runde|investoren)(?:-(?:usd|eur|m|name|type|date))?$/;
const NAMES_FROM = 0.6;

/** The names in a second line of names, which is the first row; undefined where that is a row like others. */
export function secondHeader({ values, rows, columns }: Sample): string[] | undefined {
  const [first, ...others] = rows;
  if (values || !first || others.length === 0) return undefined;
  const texts = columns.map((column) => first[column]!.trim()).filter((text) => text !== "");
  const names = texts.filter((text) => NAMES.test(keyOf(text)));
  return names.length >= 2 && names.length >= NAMES_FROM * texts.length && !texts.some((text) => /\d/.test(text))
    ? [...new Set(names)]
    : undefined;
}
