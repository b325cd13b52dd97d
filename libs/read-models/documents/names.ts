import { wordsOf } from "@tranche/shared/domain/text/words";

/** The fields by which a company or an investor is found by name. */
export type Names = {
  /** The key of its name; null for a name without a letter or digit, which lists sort last. */
  name_key: string | null;
  /** The beginnings of all words of its name and aliases, as `namePrefixes` writes them. */
  name_prefixes: string;
};

/** Separates two names, so that words of different names are not mixed. No word has it. */
export const NAME_END = "|";

/**
 * Every beginning of each word of several names, each name once: `d da dat data l la lab labs | d da dat data`. A beginning occurs as
 * often in a name as words begin with it.
 */
export function namePrefixes(names: readonly string[]): string {
  const each = names.map((name) => wordsOf(name).flatMap(prefixesOf).join(" ")).filter((prefixes) => prefixes !== "");
  return [...new Set(each)].join(` ${NAME_END} `);
}

/** The beginnings in each name of a text of `namePrefixes`. */
export function prefixesByName(text: string): string[][] {
  return text === "" ? [] : text.split(` ${NAME_END} `).map((prefixes) => prefixes.split(" "));
}

/** The words of each name in a text of `namePrefixes`. */
export function wordsByName(text: string): string[][] {
  return prefixesByName(text).map((prefixes) => prefixes.filter((_, i) => endsBefore(prefixes[i + 1])));
}

/** Whether a word ends before this prefix: it is the first letter of the next one, or there is none. */
const endsBefore = (prefix: string | undefined): boolean => prefix === undefined || Array.from(prefix).length === 1;

function prefixesOf(word: string): string[] {
  const letters = Array.from(word);
  return letters.map((_, i) => letters.slice(0, i + 1).join(""));
}
