import type { Client } from "@elastic/elasticsearch";
import { MAX_SEARCHES, type SavedSearch } from "./saved-search.ts";

/** `version` changes with every change. */
export type VersionedSearch = { search: SavedSearch; version: string };

const ID = /^[\da-f-]{36}$/;

export const searchDocumentId = (id: string): string => `search:${id}`;

/** The version of a document of the dashboard's index. */
export const versionOf = (of: { _seq_no?: number; _primary_term?: number }): string =>
  `${of._primary_term}.${of._seq_no}`;

/** The condition of an account's saved searches. */
export const searchesOf = (account: string) => ({
  bool: { filter: [{ term: { kind: "search" } }, { term: { account } }] },
});

/** A saved search of an account; undefined when the account has none with this id. `index`: the dashboard's. */
export async function readSearch(
  client: Client,
  index: string,
  { account, id }: Pick<SavedSearch, "account" | "id">,
): Promise<VersionedSearch | undefined> {
  if (!ID.test(id)) return undefined;
  const found = await client.get<SavedSearch>({ index, id: searchDocumentId(id) }, { ignore: [404] });
  if (!found.found || found._source!.account !== account) return undefined;
  return { search: found._source!, version: versionOf(found) };
}

/** The saved searches of an account, by name. */
export async function readSearches(client: Client, index: string, account: string): Promise<VersionedSearch[]> {
  const found = await client.search<SavedSearch>({
    index,
    size: MAX_SEARCHES * 2,
    seq_no_primary_term: true,
    query: searchesOf(account),
  });
  return found.hits.hits
    .map((hit) => ({ search: hit._source!, version: versionOf(hit) }))
    .toSorted((a, b) => a.search.name.localeCompare(b.search.name, "en") || (a.search.id < b.search.id ? -1 : 1));
}
