import { randomUUID } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import { DashboardError } from "../errors/dashboard-error.ts";
import { MAX_SEARCHES, type SavedSearch } from "./saved-search.ts";

/** `version` changes with every change. */
export type VersionedSearch = { search: SavedSearch; version: string };

/** The saved searches of accounts. Rejects with a DashboardError for people. */
export type SearchStore = {
  /** Of an account, by name. */
  ofAccount(account: string): Promise<VersionedSearch[]>;
  create(input: Pick<SavedSearch, "account" | "name" | "list" | "query">): Promise<VersionedSearch>;
  /** Refused as a `conflict` when `version` is not the current one. */
  change(
    search: Pick<SavedSearch, "account" | "id">,
    changes: Partial<Pick<SavedSearch, "name" | "query">>,
    version: string,
  ): Promise<VersionedSearch>;
  remove(search: Pick<SavedSearch, "account" | "id">): Promise<void>;
};

const ID = /^[\da-f-]{36}$/;
const documentId = (id: string) => `search:${id}`;
const versionOf = (of: { _seq_no?: number; _primary_term?: number }) => `${of._primary_term}.${of._seq_no}`;

/** In the dashboard's own index. `actor` is the member who changes something; `now` is real time in ms. */
export function createSearchStore(
  client: Client,
  index: string,
  { actor, now = Date.now }: { actor: string; now?: () => number },
): SearchStore {
  const filterOf = (account: string) => ({ bool: { filter: [{ term: { kind: "search" } }, { term: { account } }] } });
  const count = async (account: string) => (await client.count({ index, query: filterOf(account) })).count;
  const read = async (account: string, id: string): Promise<VersionedSearch> => {
    const gone = new DashboardError("not_found", "This search is not there any more.");
    if (!ID.test(id)) throw gone;
    const found = await client.get<SavedSearch>({ index, id: documentId(id) }, { ignore: [404] });
    if (!found.found || found._source!.account !== account) throw gone;
    return { search: found._source!, version: versionOf(found) };
  };

  return {
    async ofAccount(account) {
      const found = await client.search<SavedSearch>({
        index,
        size: MAX_SEARCHES * 2,
        seq_no_primary_term: true,
        query: filterOf(account),
      });
      return found.hits.hits
        .map((hit) => ({ search: hit._source!, version: versionOf(hit) }))
        .toSorted((a, b) => a.search.name.localeCompare(b.search.name, "en") || (a.search.id < b.search.id ? -1 : 1));
    },
    async create(input) {
      const tooMany = () =>
        new DashboardError("conflict", `An account has at most ${MAX_SEARCHES} saved searches. Delete one first.`);
      if ((await count(input.account)) >= MAX_SEARCHES) throw tooMany();
      const at = new Date(now()).toISOString();
      const stamps = { created_at: at, created_by: actor, changed_at: at, changed_by: actor };
      const search: SavedSearch = { kind: "search", id: randomUUID(), ...input, ...stamps };
      const id = documentId(search.id);
      const stored = await client.index({ index, id, document: search, op_type: "create", refresh: true });
      // Somebody else may have saved one at the same time.
      if ((await count(input.account)) > MAX_SEARCHES) {
        await client.delete({ index, id, refresh: true }, { ignore: [404] });
        throw tooMany();
      }
      return { search, version: versionOf(stored) };
    },
    async change({ account, id }, changes, version) {
      const conflict = () => new DashboardError("conflict", "Somebody else has changed this search.");
      const current = await read(account, id);
      if (current.version !== version) throw conflict();
      const search = { ...current.search, ...changes, changed_at: new Date(now()).toISOString(), changed_by: actor };
      const [term, seqNo] = version.split(".").map(Number);
      const stored = await client.index(
        { index, id: documentId(id), document: search, refresh: true, if_seq_no: seqNo!, if_primary_term: term! },
        { ignore: [409], meta: true },
      );
      if (stored.statusCode === 409) throw conflict();
      return { search, version: versionOf(stored.body) };
    },
    async remove({ account, id }) {
      await read(account, id);
      await client.delete({ index, id: documentId(id), refresh: true }, { ignore: [404] });
    },
  };
}
