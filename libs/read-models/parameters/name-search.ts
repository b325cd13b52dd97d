import { wholeNumber } from "./kinds/numbers.ts";
import { searchText } from "./kinds/search-text.ts";
import { wordList } from "./kinds/word-list.ts";
import { parameter } from "./parameter.ts";

/** The types of named things, in the order of the documentation. */
export const NAME_TYPES = ["company", "investor", "category", "city", "technology", "country"] as const;
export type NameType = (typeof NAME_TYPES)[number];

const MAX_NAMES = 20;
export const DEFAULT_NAMES = 10;

/** The parameters of the search by name. */
export type NameSearchTable = typeof NAME_SEARCH_PARAMETERS;

/** Every parameter of the search by name. */
export const NAME_SEARCH_PARAMETERS = Object.freeze({
  q: parameter({
    kind: searchText(),
    description:
      "A name or the beginning of one, in any case, with accents and punctuation or without; or a domain. 1 to 100 characters, at least one letter or digit.",
    example: "sequoia",
    required: true,
  }),
  types: parameter({
    kind: wordList("type", NAME_TYPES),
    description: "What to look for. Default: all types.",
    example: "company,investor",
  }),
  limit: parameter({
    kind: wholeNumber(1, MAX_NAMES),
    description: "Names at most, on every plan.",
    example: "10",
    fallback: String(DEFAULT_NAMES),
    unfiltered: true,
  }),
});
