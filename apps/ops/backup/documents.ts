import type { Client, estypes } from "@elastic/elasticsearch";
import { refreshed } from "@tranche/shared/engines/search/refreshed";
import { type IndexView, viewIndex } from "@tranche/shared/engines/search/index-view";
import type { BackupLine } from "./format.ts";
import { isKept, type Store } from "./stores.ts";

const PAGE = 1000;
/** How long a view stays open between two pages: the reader of the backup may be slow. */
const KEEP_ALIVE = "15m";

/** The stores from one point in time. */
export type View = {
  /** How many documents there are, those that a backup leaves out among them. */
  total: number;
  /** Page by page, store by store. */
  pages(): AsyncGenerator<BackupLine[]>;
  close(): Promise<void>;
};

/**
 * Opens a view of the stores as of now. Edges, stakes and snapshots are written before their records, so they are viewed after them:
 * every record that is in the view has its own in it, too.
 */
export async function openView(client: Client, stores: readonly Store[]): Promise<View> {
  const indices = stores.map(({ index }) => index);
  await refreshed(client, indices);
  const views = new Map<string, IndexView>();
  const open = async ({ name, index }: Store) => void views.set(name, await viewIndex(client, index, KEEP_ALIVE));
  const later = stores.filter(({ name }) => ["edges", "stakes", "records-snapshot"].includes(name));
  await Promise.all(stores.filter((store) => !later.includes(store)).map(open));
  await refreshed(
    client,
    later.map(({ index }) => index),
  );
  await Promise.all(later.map(open));
  const counts = await Promise.all([...views.values()].map((view) => view.count()));
  const total = counts.reduce((sum, count) => sum + count, 0);
  return {
    total,
    async *pages() {
      for (const { name } of stores) yield* linesOf(name, views.get(name)!);
    },
    async close() {
      await Promise.all([...views.values()].map((view) => view.close()));
    },
  };
}

async function* linesOf(store: string, view: IndexView): AsyncGenerator<BackupLine[]> {
  for await (const hits of view.pages<object>({ pageSize: PAGE })) {
    yield hits.filter((hit) => isKept(store, hit._source!)).map((hit) => lineOfHit(store, hit));
  }
}

const lineOfHit = (store: string, hit: estypes.SearchHit<object>): BackupLine => ({
  store,
  id: hit._id!,
  version: hit._version!,
  ...(hit._routing === undefined ? {} : { routing: hit._routing }),
  document: hit._source!,
});
