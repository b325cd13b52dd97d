import type { estypes } from "@elastic/elasticsearch";
import { NAME_END } from "../documents/names.ts";
import { editsOf, wordsNeeded } from "./name-match.ts";

type Clause = estypes.QueryDslQueryContainer;

/** Each of these words begins another word of the same name: what `hasPrefixes` says of a field with `namePrefixes`. */
export function beginsWordsClause(field: string, words: readonly string[]): Clause {
  const prefixes = [...wordsNeeded(words)].flatMap(([prefix, needed]) => Array<string>(needed).fill(prefix));
  if (prefixes.length === 1) return { term: { [field]: prefixes[0]! } };
  // Elasticsearch looks for each at another position. Between them there may be anything but the end of a name.
  const filter = { not_containing: { match: { query: NAME_END } } };
  return { intervals: { [field]: { match: { query: prefixes.join(" "), ordered: false, filter } } } };
}

/**
 * Each of these words begins a word of some name within its edits. It also finds documents of which `resemblesWords` says no: those where
 * words of different names, or one word twice, would be needed.
 */
export function resemblesWordsClause(field: string, words: readonly string[]): Clause {
  const edits = editsOf(words);
  const each = [...new Set(words)].map((word): Clause => {
    const fuzziness = edits.get(word);
    if (fuzziness === undefined) return { term: { [field]: word } };
    // This rewrite takes all terms; the default would take the 50 nearest.
    return { fuzzy: { [field]: { value: word, fuzziness, transpositions: true, rewrite: "constant_score" } } };
  });
  return { bool: { filter: each } };
}
