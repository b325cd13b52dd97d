import { anyOf } from "../mapping/condition.ts";
import { ITEM_END } from "../mapping/json-rows.ts";
import type { Role } from "./roles.ts";

/** Texts that say nothing wherever they stand. */
const SIGNS = ["#?n/a", "[-–—.?]+", "\\\\N", "\\[\\]|\\{\\}"];
/** Words that say nothing, unless they are a value of the column: `NA` is a country, and companies have names of all kinds. */
const WORDS = bracketed([
  "#name\\?",
  "#(?:value|ref|div/0|num|null|spill|calc)!",
  "na",
  "nan",
  "null",
  "none",
  "nil",
  "n\\.? ?a\\.?",
  "n\\.? ?n\\.?",
  "k\\.? ?a\\.?",
  "n\\.? ?v\\.?",
  "n\\.? ?c\\.?",
  "s\\.? ?d\\.?",
  "keine angaben?",
  "unbekannt",
  "nicht bekannt",
  "inconnu",
  "unknown",
  "tb[ad]",
]);
export const UNDISCLOSED = bracketed([
  "undisclosed(?: amount)?",
  "(?:amount )?not (?:publicly )?disclosed",
  "undisc\\.?",
  "confidential",
  "vertraulich",
  "nicht (?:bekannt|veröffentlicht|genannt)",
  "non (?:communiqué|divulgué|dévoilé)",
  "no (?:revelado|divulgado)",
  "не раскрыт[оаы]?",
  "未透露|未披露|非公開",
]);

/** Whether a text says nothing, in whatever column. */
export const saysNothing = anyOf([...SIGNS, ...WORDS, ...UNDISCLOSED]);

/** The patterns of texts without a value that occur in a column; of a list also those of its items. */
export function emptiesOf(role: Role, texts: readonly string[]): string[] {
  if (role === "company") return occurring(SIGNS, texts);
  const isList = role === "investors" || role === "lead";
  const all = isList
    ? [
        ...texts,
        ...texts.flatMap((text) =>
          text
            .replaceAll(ITEM_END, ";")
            .split(/[,;|/]/)
            .map((item) => item.trim()),
        ),
      ]
    : texts;
  const areCodes = role === "country" && texts.filter((text) => /^[A-Z]{2}$/i.test(text)).length > texts.length / 2;
  const words = areCodes ? WORDS.filter((word) => !CODES.some(anyOf([word]))) : WORDS;
  const found = occurring([...SIGNS, ...words, ...(role === "deal_type" ? [] : UNDISCLOSED)], all);
  // One pattern of several that fit the same texts is enough.
  return found.filter(
    (pattern, index) => !all.filter(anyOf([pattern])).every((text) => anyOf(found.slice(0, index))(text)),
  );
}

/** Codes of Namibia, New Caledonia and Sudan. */
const CODES = ["na", "nc", "sd"];

/** Some write `(undisclosed)`. */
function bracketed(patterns: readonly string[]): string[] {
  return patterns.map((pattern) => (pattern.startsWith("#") ? pattern : `\\(?${pattern}\\)?`));
}

const occurring = (patterns: readonly string[], texts: readonly string[]) =>
  patterns.filter((pattern) => texts.some(anyOf([pattern])));
