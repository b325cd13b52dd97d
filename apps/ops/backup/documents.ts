import type { Client, estypes } from "@elastic/elasticsearch";
import { refreshed } from "@tranche/shared/search/refreshed";
import { retryForever, wholeAnswer } from "@tranche/shared/search/retry-forever";
import { wholeIndex } from "@tranche/shared/search/whole-index";
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
  const ids = new Map<string, string>();
  const open = async ({ name, index }: Store) => {
    const { id } = await retryForever(() => client.openPointInTime({ index, keep_alive: KEEP_ALIVE }));
    ids.set(name, id);
  };
  const later = stores.filter(({ name }) => ["edges", "stakes", "records-snapshot"].includes(name));
  await Promise.all(stores.filter((store) => !later.includes(store)).map(open));
  await refreshed(
    client,
    later.map(({ index }) => index),
  );
  await Promise.all(later.map(open));
  const counts = stores.map(async ({ name }) => {
    const answer = await retryForever(async () =>
      wholeAnswer(
        await client.search({ pit: { id: ids.get(name)!, keep_alive: KEEP_ALIVE }, size: 0, track_total_hits: true }),
      ),
    );
    return (answer.hits.total as estypes.SearchTotalHits).value;
  });
  const total = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  return {
    total,
    async *pages() {
      for (const { name } of stores) yield* linesOf(client, name, ids.get(name)!);
    },
    async close() {
      const closing = [...ids.values()].map((id) => client.closePointInTime({ id }).catch(() => {}));
      await Promise.all(closing);
    },
  };
}

async function* linesOf(client: Client, store: string, pointInTime: string): AsyncGenerator<BackupLine[]> {
  for await (const hits of wholeIndex(client, { pointInTime, keepAlive: KEEP_ALIVE, pageSize: PAGE })) {
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
