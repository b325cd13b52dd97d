import { keyOf } from "./key.ts";

/** More words of a name are not searched. */
const MAX_WORDS = 100;
/** In characters. The rest of a longer word is not searched, because all beginnings of a word are stored. */
const MAX_WORD_LENGTH = 20;

/** The words of a name: the parts of its key, which are letters and digits. None for a name of signs only. */
export function wordsOf(name: string): string[] {
  return wordsIn(keyOf(name));
}

/** The words of a name with this key. */
export function wordsIn(key: string): string[] {
  return key === "" ? [] : key.split("-", MAX_WORDS).map(shortened);
}

function shortened(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : Array.from(word).slice(0, MAX_WORD_LENGTH).join("");
}
