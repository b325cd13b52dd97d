import { listQuery } from "@tranche/read-models/query/list-query";
import type { ValidatedCache } from "../cache/validated-cache.ts";
import type { Search } from "../search/search.ts";
import type { PageRequest } from "./page.ts";

export type Counts = ReturnType<typeof createCounts>;

/** The exact numbers of rows of lists. The cache is valid until a change affects them. */
export function createCounts(search: Search, cache: ValidatedCache<number>) {
  /** The count of all rows of a list, if it is cached, and a function that caches the count of a search that begins now or later. */
  const of = (index: string, { generation, filters }: PageRequest) => {
    const key = JSON.stringify([index, filters]);
    const begunAt = performance.now();
    return {
      known: cache.get(generation, key),
      keep: (value: number) => cache.set(generation, key, { value, dependencies: { filters, ids: [] } }, begunAt),
    };
  };
  /** The count of all rows of a list, counted unless it is cached. */
  const counted = async (index: string, list: PageRequest): Promise<number> => {
    const { known, keep } = of(index, list);
    if (known !== undefined) return known;
    const { query } = listQuery({ ...list, page: { limit: 0, offset: 0 } });
    const { count } = await search(index, { query, size: 0, track_total_hits: true }, list.left);
    keep(count);
    return count;
  };
  return { of, counted };
}
