import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import { type ChangesPage, changesPage, emptyPage } from "@tranche/read-models/feed/changes-page";
import { changesQuery } from "@tranche/read-models/feed/changes-query";
import { type FeedPosition, isCurrent } from "@tranche/read-models/feed/position";
import type { Filter } from "@tranche/read-models/query/filters";
import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import type { FeedState } from "@tranche/shared/protocol/feed/state";
import { LRUCache } from "lru-cache";
import { ApiError } from "../errors/api-error.ts";
import type { Search } from "../search/search.ts";
import type { FeedWatch } from "./watch.ts";

/** Pages that many readers request at the same time. In characters. */
const CACHE_SIZE = 16_000_000;
const CACHED_MS = 10_000;

/** The list whose changes are read. `key` identifies it, with its filters and the form of its rows. */
export type Followed<Document> = {
  model: FeedModel;
  key: string;
  filters: readonly Filter[];
  idField: string;
  source: readonly string[];
  row: (document: Document) => string;
};

/** Reads pages of the feed of changes. Concurrent requests for the same page share one search. */
export type FeedReader = {
  /** The page after a position, as of a state. Throws `position_expired`. */
  page<Document>(
    followed: Followed<Document>,
    after: FeedPosition,
    state: FeedState,
    limit: number,
  ): Promise<ChangesPage>;
};

export function createFeedReader({ search, watch }: { search: Search; watch: Pick<FeedWatch, "state"> }): FeedReader {
  const cache = new LRUCache<string, Promise<ChangesPage>>({ max: 1000, ttl: CACHED_MS });
  const sizes = new LRUCache<string, number>({
    maxSize: CACHE_SIZE,
    sizeCalculation: (size) => size,
    dispose: (_, key) => void cache.delete(key),
  });

  const read = async <Document>(
    { model, filters, idField, source, row }: Followed<Document>,
    after: FeedPosition,
    state: FeedState,
    limit: number,
  ): Promise<ChangesPage> => {
    const query = changesQuery({ filters, idField, source }, after, { horizon: state.horizon, size: limit + 1 });
    const found = await search<Document & ChangeTickets>(state.index, query);
    // After the search: removals purged meanwhile may be missing in it.
    assertCurrent(after, await watch.state(model));
    return changesPage(found, { after, end: state, limit, row });
  };

  return {
    async page(followed, after, state, limit) {
      assertCurrent(after, state);
      const empty = emptyPage(after, state);
      if (empty) return empty;
      const { epoch, index, moves, horizon } = state;
      const key = JSON.stringify([followed.key, after, epoch, index, moves, horizon, limit]);
      const there = cache.get(key);
      if (there) return there;
      const page = read(followed, after, state, limit);
      cache.set(key, page);
      page.then(
        ({ changes }) => sizes.set(key, 1 + changes.reduce((sum, { length }) => sum + length, 0)),
        () => cache.delete(key),
      );
      return page;
    },
  };
}

/** Throws `position_expired` unless all removals since the position are still stored. */
function assertCurrent(after: FeedPosition, state: FeedState): void {
  if (isCurrent(after, state)) return;
  const why =
    after.epoch === state.epoch
      ? "Removals from before 30 days ago are not kept"
      : "The data was restored from a backup, or replaced, since it was given";
  throw new ApiError("position_expired", `This position has expired. ${why}. Begin again with since=start.`);
}
