import { keyOf } from "./key.ts";

type Keys = [string, ...string[]];

/** Names with more words are not looked for with a further `and` between two of them. */
const MAX_WORDS = 20;

/** A name with each `&` as the word `and`. */
export const withAnd = (name: string): string => name.normalize("NFKD").replaceAll("&", " and ");

/**
 * The keys by which a name is found, its own first. A name that has `&` or the word `and` is found with the other one, too, as if it had
 * an alias with it.
 */
export function spelledKeys(name: string): Keys {
  const key = keyOf(name);
  const inWords = keyOf(withAnd(name));
  if (key === inWords && !key.includes("and")) return [key];
  return [...new Set([key, inWords, withoutAnd(inWords)])] as Keys;
}

/**
 * The keys to look for when someone asks for a name, the usual one first. Names have the other spellings among their own keys. A text
 * without a letter or digit is an id, so it has the empty key alone.
 */
export function soughtKeys(text: string): Keys {
  const key = keyOf(text);
  return key === "" ? [key] : ([...new Set([key, keyOf(withAnd(text))].flatMap(keyForms))] as Keys);
}

/** The keys of slugs that are this text with `and` for `&`, or the other way round. */
export function otherSlugs(text: string): string[] {
  const [key, ...others] = spelledKeys(text);
  const words = key.split("-");
  const between =
    words.length > MAX_WORDS ? [] : words.slice(1).map((_, i) => words.toSpliced(i + 1, 0, "and").join("-"));
  return [...new Set([...others, ...between])].filter((other) => other !== "");
}

/** A key, and as documents of the first three derivations have it: with final sigmas. */
export function keyForms(key: string): Keys {
  const final = key.replace(/(?<=\p{L})σ(?=-|$)/gu, "ς");
  return final === key ? [key] : [key, final];
}

const withoutAnd = (key: string): string =>
  key
    .split("-")
    .filter((word) => word !== "and")
    .join("-");
