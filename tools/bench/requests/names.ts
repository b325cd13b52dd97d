import { nameQuery } from "@tranche/read-models/query/name-match";
import { COMPANIES } from "../../../apps/api/name-search/companies.ts";
import { nameSearch, similarNameSearch } from "../../../apps/api/query/name-search.ts";
import { createRandom, type Random } from "../data/random.ts";
import type { World } from "../data/world.ts";

/** Few, so that a beginning of a name finds enough of them and needs no search that tolerates typing errors. */
export const NAMES_IN_ANSWER = 5;

/** A text that somebody types; `rare`: fewer names than asked for have it, so similar ones are searched for too. */
type TypedName = { q: string; rare: boolean };

/**
 * Texts that people type to find companies: beginnings of names, beginnings of two words, whole names, names with a typing error. The case of
 * letters is random, so that hardly any text comes twice: an answer that is cached would say nothing about searches.
 */
export function* typedNames(world: World, seed: number): Generator<TypedName, never> {
  const random = createRandom(seed);
  for (;;) {
    const { name } = world.family(random.below(world.companies)).company;
    const [first, second] = name.split(" ") as [string, string];
    const kind = random.share();
    if (kind < 0.45) yield { q: anyCase(random, first.slice(0, 2)), rare: false };
    else if (kind < 0.75) yield { q: anyCase(random, `${second.slice(0, 2)} ${first.slice(0, 2)}`), rare: false };
    else if (kind < 0.9) yield { q: anyCase(random, name), rare: true };
    else yield { q: anyCase(random, mistyped(random, name)), rare: true };
  }
}

/** The searches that the API makes for a text, for `_msearch`. */
export function nameSearches({ q, rare }: TypedName): string {
  const query = nameQuery(q);
  const searches = [
    nameSearch(query, COMPANIES.fields, NAMES_IN_ANSWER),
    ...(rare ? [similarNameSearch(query, COMPANIES.fields, NAMES_IN_ANSWER)] : []),
  ];
  return searches.map((search) => `{}\n${JSON.stringify({ timeout: "8000ms", ...search })}\n`).join("");
}

const anyCase = (random: Random, text: string): string =>
  Array.from(text, (letter) => (random.chance(0.5) ? letter.toUpperCase() : letter.toLowerCase())).join("");

/** Two neighbours among the first letters are swapped. */
function mistyped(random: Random, name: string): string {
  const at = random.below(3);
  return name.slice(0, at) + name[at + 1]! + name[at]! + name.slice(at + 2);
}
