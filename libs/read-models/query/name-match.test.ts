import * as fc from "fast-check";
import { keyOf } from "@tranche/shared/domain/text/key";
import { expect, test } from "vitest";
import { namePrefixes, prefixesByName, wordsByName } from "../documents/names.ts";
import {
  beginsWords,
  createMatchOf,
  hasPrefixes,
  editsOf,
  isSimilar,
  type Named,
  nameQuery,
  resemblesWords,
  wordsNeeded,
} from "./name-match.ts";

const named = (name: string, aliases: string[] = [], domain: string | null = null): Named => ({
  key: keyOf(name),
  keys: [name, ...aliases].map(keyOf),
  domain,
  names: wordsByName(namePrefixes([name, ...aliases])),
});
const matchOf = (text: string, one: Named) => {
  const query = nameQuery(text);
  return createMatchOf(query)(one) ?? (isSimilar(query, one) ? "similar" : undefined);
};
const SEQUOIA = named("Séquoia Capital", ["Sequoia Heritage", "SCGE"], "sequoiacap.com");

test.each([
  ["Sequoia Capital", "exact"],
  ["sequoia-capital", "exact"],
  ["SCGE", "exact"],
  ["sequoia heritage", "exact"],
  ["https://www.sequoiacap.com/companies", "exact"],
  ["sequ", "prefix"],
  ["Sequoia Cap", "prefix"],
  ["capital", "words"],
  ["capital sequoia", "words"],
  ["cap s", "words"],
  ["heritage", "words"],
  ["sequoya", "similar"],
  ["seuqoia", "similar"],
  ["sequoia captial", "similar"],
  ["herritage", "similar"],
  ["capital capital", undefined],
  ["capital heritage", undefined],
  ["sequoia capital partners", undefined],
  ["cpa", undefined],
  ["accel", undefined],
])("%s matches as: %s", (text, match) => {
  expect(matchOf(text, SEQUOIA)).toBe(match);
});

test("each word of a query needs a word of its own", () => {
  const dada = named("Data Dance");
  expect(matchOf("da d", dada)).toBe("words");
  expect(matchOf("dance da", dada)).toBe("words");
  expect(matchOf("d d d", dada)).toBeUndefined();
  expect(matchOf("dat dat", dada)).toBeUndefined();
  expect(matchOf("danse data", dada)).toBe("similar");
  expect(matchOf("danse dance", dada)).toBeUndefined();
});

/** Short words of few letters, so that many begin others. */
const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 });
const words = (maxLength: number) => fc.array(word, { minLength: 1, maxLength });

/** Tries every way to give each word of a query another word of a name. */
const assigned = (
  query: readonly string[],
  name: readonly string[],
  fits: (word: string, part: string) => boolean,
): boolean =>
  query.length === 0 ||
  name.some((one, i) => fits(one, query[0]!) && assigned(query.slice(1), name.toSpliced(i, 1), fits));

const begins = (query: readonly string[], name: readonly string[]): boolean => {
  const needed = wordsNeeded(query);
  const [prefixes] = prefixesByName(namePrefixes([name.join(" ")]));
  expect(hasPrefixes(prefixes!, needed)).toBe(beginsWords(name, needed));
  return beginsWords(name, needed);
};

test("counting finds what trying every way finds", () =>
  fc.assert(
    fc.property(words(4), words(5), (query, name) => {
      expect(begins(query, name)).toBe(assigned(query, name, (one, part) => one.startsWith(part)));
      // Words of fewer than four letters have no edits, so only whole words of four differ.
      expect(resemblesWords(query, name) || !begins(query, name)).toBe(true);
    }),
    { numRuns: 2000 },
  ));

test("a name that begins with a query has words that begin with its words", () =>
  fc.assert(
    fc.property(words(5), fc.nat({ max: 20 }), (name, length) => {
      const key = name.join("-");
      const text = key.slice(0, length).replace(/-$/, "");
      if (text !== "") expect(begins(nameQuery(text).forms[0].words, name)).toBe(true);
    }),
  ));

test("only the four longest words of a query may have edits, and all others have to match without", () => {
  const name = ["aaaaaaaa", "bbbbbbb", "cccccc", "ddddd", "eeee"];
  const typed = (...wrong: number[]) => name.map((one, n) => (wrong.includes(n) ? `${one.slice(0, -1)}x` : one));
  expect(resemblesWords(typed(0, 1, 2, 3), name)).toBe(true);
  expect(resemblesWords(typed(4), name)).toBe(false);
  expect(resemblesWords(typed(4).slice(1), name)).toBe(true);
  expect([...editsOf(name)]).toEqual([
    ["aaaaaaaa", 2],
    ["bbbbbbb", 1],
    ["cccccc", 1],
    ["ddddd", 1],
  ]);
});
