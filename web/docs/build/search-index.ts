import MiniSearch from "minisearch";
import { SEARCH_OPTIONS, type SearchEntry } from "../search-options.ts";

/** The index of the site as JSON, which the page loads when somebody searches. */
export function searchIndex(entries: readonly Omit<SearchEntry, "id">[]): string {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  index.addAll(entries.map((entry, id) => ({ id, ...entry })));
  return JSON.stringify(index);
}
