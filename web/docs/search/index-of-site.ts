import MiniSearch from "minisearch";
import { requestText } from "../request-text.ts";
import { SEARCH_OPTIONS, type SearchEntry } from "../search-options.ts";

export type SearchHit = Pick<SearchEntry, "path" | "page" | "title" | "place">;

/** No more parts of pages are shown. */
export const MAX_HITS = 12;
let loaded: Promise<MiniSearch<SearchEntry>> | undefined;

/** The parts of pages that match a text, the best first. Loads the index with the first call; rejects when it can't be loaded. */
export async function searchSite(text: string): Promise<SearchHit[]> {
  loaded ??= requestText(document.documentElement.dataset["search"]!).then((json) =>
    MiniSearch.loadJSON<SearchEntry>(json, SEARCH_OPTIONS),
  );
  try {
    const index = await loaded;
    return index.search(text).slice(0, MAX_HITS) as unknown as SearchHit[];
  } catch (error) {
    loaded = undefined;
    throw error;
  }
}
