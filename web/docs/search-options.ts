/** A part of a page that the search finds. */
export type SearchEntry = {
  id: number;
  path: string;
  page: string;
  title: string;
  text: string;
  place: "use" | "run" | "change" | "decision";
};

/** How much a match counts by where it is: most readers call the API, and reasons are for those who look for them. */
const WEIGHTS: Record<SearchEntry["place"], number> = { use: 1.2, run: 1, change: 0.7, decision: 0.4 };

const WORD = /[\p{L}\p{N}_]+/gu;
const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

/** How the index is made and read: the build and the browser need the same. Parts of `min_amount_usd` are words, too. */
export const SEARCH_OPTIONS = {
  fields: ["title", "page", "text"],
  storeFields: ["path", "page", "title", "place"],
  tokenize: (text: string): string[] =>
    wordsOf(text).flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word])),
  searchOptions: {
    boost: { title: 4, page: 2 },
    boostDocument: (_id: unknown, _term: string, stored?: Record<string, unknown>): number =>
      WEIGHTS[stored?.["place"] as SearchEntry["place"]] ?? 1,
    prefix: true,
    fuzzy: (word: string): number | false => (word.length > 4 ? 0.2 : false),
    combineWith: "AND" as const,
    tokenize: (text: string): string[] => wordsOf(text),
  },
};
