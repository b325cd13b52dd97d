import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { assertStays, type MayStay } from "@tranche/shared/accounts/assert-stays";
import {
  readSearch,
  readSearches,
  searchDocumentId,
  searchesOf,
  type VersionedSearch,
  versionOf,
} from "@tranche/shared/accounts/read-searches";
import { MAX_SEARCHES, type SavedSearch } from "@tranche/shared/accounts/saved-search";
import { PageError } from "@tranche/http/errors/page-error";

/** The saved searches of accounts. Rejects with a PageError for people. */
type SearchStore = {
  /** The saved searches of an account, by name. */
  ofAccount(account: string): Promise<VersionedSearch[]>;
  one(search: Pick<SavedSearch, "account" | "id">): Promise<SavedSearch>;
  /** `mayStay` throws when the search may not stay, because who saved it was removed meanwhile. */
  create(input: Pick<SavedSearch, "account" | "name" | "list" | "query">, mayStay?: MayStay): Promise<VersionedSearch>;
  /** Refused as a `conflict` when `version` is not the current one. */
  change(
    search: Pick<SavedSearch, "account" | "id">,
    changes: Partial<Pick<SavedSearch, "name" | "query">>,
    version: string,
  ): Promise<VersionedSearch>;
  remove(search: Pick<SavedSearch, "account" | "id">): Promise<void>;
};

/** In the dashboard's own index. `actor` is the member who makes the change; `now` is real time in ms. */
export function createSearchStore(
  client: Client,
  index: string,
  { actor, now = Date.now }: { actor: string; now?: () => number },
): SearchStore {
  const count = async (account: string) => (await client.count({ index, query: searchesOf(account) })).count;
  const read = async (search: Pick<SavedSearch, "account" | "id">): Promise<VersionedSearch> => {
    const found = await readSearch(client, index, search);
    if (!found) throw new PageError("not_found", "This search no longer exists.");
    return found;
  };

  return {
    ofAccount: (account) => readSearches(client, index, account),
    one: async (search) => (await read(search)).search,
    async create(input, mayStay) {
      const assertRoom = async (more: number) => {
        if ((await count(input.account)) + more <= MAX_SEARCHES) return;
        throw new PageError("conflict", `An account has at most ${MAX_SEARCHES} saved searches. Delete one first.`);
      };
      await assertRoom(1);
      const at = new Date(now()).toISOString();
      const stamps = { created_at: at, created_by: actor, changed_at: at, changed_by: actor };
      const search: SavedSearch = { kind: "search", id: randomUUID(), ...input, ...stamps };
      const id = searchDocumentId(search.id);
      const stored = await client.index({ index, id, document: search, op_type: "create", refresh: true });
      const takeBack = () => client.delete({ index, id, refresh: true }, { ignore: [404] });
      const mayStayHere = async () => {
        await assertRoom(0);
        await mayStay?.();
      };
      await assertStays(mayStayHere, takeBack);
      return { search, version: versionOf(stored) };
    },
    async change({ account, id }, changes, version) {
      const conflict = () => new PageError("conflict", "Somebody else has changed this search.");
      const current = await read({ account, id });
      if (current.version !== version) throw conflict();
      const search = { ...current.search, ...changes, changed_at: new Date(now()).toISOString(), changed_by: actor };
      const [term, seqNo] = version.split(".").map(Number);
      const stored = await client.index(
        { index, id: searchDocumentId(id), document: search, refresh: true, if_seq_no: seqNo!, if_primary_term: term! },
        { ignore: [409], meta: true },
      );
      if (stored.statusCode === 409) throw conflict();
      return { search, version: versionOf(stored.body) };
    },
    async remove({ account, id }) {
      await read({ account, id });
      await client.delete({ index, id: searchDocumentId(id), refresh: true }, { ignore: [404] });
    },
  };
}
