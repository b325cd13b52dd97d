import { domainOf } from "@tranche/shared/domain/text/domain";
import { beginsWithin } from "@tranche/shared/domain/text/edits";
import { keyOf } from "@tranche/shared/domain/text/key";
import { keyForms, soughtKeys } from "@tranche/shared/domain/text/spellings";
import { wordsIn } from "@tranche/shared/domain/text/words";

/** How a name matches a query, the best first. */
export const MATCHES = ["exact", "prefix", "words", "similar"] as const;
export type Match = (typeof MATCHES)[number];

/** A query for a name, as typed. */
export type NameQuery = {
  /** The keys of names that it names in full. */
  keys: readonly string[];
  /** Its own key and words; then, for documents of earlier derivations, those with final sigmas. */
  forms: readonly [NameForm, ...NameForm[]];
  domain: string | null;
};
type NameForm = { key: string; words: readonly string[]; edits: Edits };

/** `text` has a letter or a digit. */
export function nameQuery(text: string): NameQuery {
  const [own, ...earlier] = keyForms(keyOf(text));
  const form = (key: string): NameForm => {
    const words = wordsIn(key);
    return { key, words, edits: editsOf(words) };
  };
  return { keys: soughtKeys(text), forms: [form(own), ...earlier.map(form)], domain: domainOf(text) };
}

/** The fields with which a query is compared. */
export type Named = {
  /** The key of the name; null for a name without a letter or digit. */
  key: string | null;
  /** Every key that is the name: those of name, slug and aliases, with both spellings of `&`. */
  keys: readonly string[];
  domain: string | null;
  /** The words of the name, and those of each alias. */
  names: readonly (readonly string[])[];
};

/**
 * How a name matches a query: it is the exact key, alias or domain; or the name begins with the query; or each word of the query begins
 * another word of the same name or alias. Undefined when it does not match, or only with edits.
 */
export function createMatchOf(query: NameQuery): (named: Named) => Exclude<Match, "similar"> | undefined {
  const forms = query.forms.map(({ key, words }) => ({ key, needed: wordsNeeded(words) }));
  return ({ key, keys, domain, names }) => {
    if (query.keys.some((each) => keys.includes(each)) || (query.domain !== null && query.domain === domain))
      return "exact";
    if (key !== null && forms.some((form) => key.startsWith(form.key))) return "prefix";
    return names.some((name) => forms.some(({ needed }) => beginsWords(name, needed))) ? "words" : undefined;
  };
}

/** Whether each word of a query begins another word of the same name or alias, with a few edits or without any. */
export function isSimilar({ forms }: NameQuery, { names }: Named): boolean {
  return names.some((name) => forms.some(({ words, edits }) => resemblesWords(words, name, edits)));
}

/**
 * How many words of a name have to begin with each word of a query: as many as words of the query do. That is enough for each word of
 * the query to have a word of its own, because of two words either one begins with the other, or no word begins with both.
 */
export function wordsNeeded(query: readonly string[]): ReadonlyMap<string, number> {
  return new Map(query.map((part) => [part, query.filter((other) => other.startsWith(part)).length]));
}

/** Whether each word of a query begins another word of a name. A name that begins with a query has such words. */
export function beginsWords(name: readonly string[], needed: ReadonlyMap<string, number>): boolean {
  return counts(needed, (part) => name.filter((word) => word.startsWith(part)).length);
}

/** The same of a name that is given by all beginnings of its words. */
export function hasPrefixes(name: readonly string[], needed: ReadonlyMap<string, number>): boolean {
  return counts(needed, (part) => name.filter((prefix) => prefix === part).length);
}

function counts(needed: ReadonlyMap<string, number>, found: (part: string) => number): boolean {
  for (const [part, least] of needed) if (found(part) < least) return false;
  return true;
}

/** Each is compared with every word there is, so a query of many words would cost a multiple of others. */
const MOST_WITH_EDITS = 4;

/** How many edits words of a query may be away from the beginning of a word of a name; those that are missing, none. */
type Edits = ReadonlyMap<string, 1 | 2>;

/** The edits of the four longest words of a query: one from four letters on, two from eight. */
export function editsOf(words: readonly string[]): Edits {
  const lengths = [...new Set(words)].map((word) => [word, Array.from(word).length] as const);
  const longest = lengths.toSorted(([, a], [, b]) => b - a).slice(0, MOST_WITH_EDITS);
  return new Map(longest.filter(([, length]) => length >= 4).map(([word, length]) => [word, length < 8 ? 1 : 2]));
}

/** Whether each word of a query begins another word of a name within its edits. */
export function resemblesWords(query: readonly string[], name: readonly string[], edits = editsOf(query)): boolean {
  if (query.length > name.length) return false;
  const fitting: number[][] = [];
  for (const part of query) {
    const words = name.flatMap((word, i) => (beginsWithin(word, part, edits.get(part) ?? 0) ? [i] : []));
    if (words.length === 0) return false;
    fitting.push(words);
  }
  /** The word of the name for each word of the query. */
  const holders = new Map<number, number>();
  /** Gives a word of the query a word of the name. A word that has it may get another one. */
  const place = (part: number, tried: Set<number>): boolean =>
    fitting[part]!.some((word) => {
      if (tried.has(word)) return false;
      tried.add(word);
      const holder = holders.get(word);
      if (holder !== undefined && !place(holder, tried)) return false;
      holders.set(word, part);
      return true;
    });
  return query.every((_, part) => place(part, new Set()));
}
