import { LRUCache } from "lru-cache";

/** Counting is what a search costs most: the count of a filtered set is kept for as long as nothing in the index changes. */
export type Counts = {
  get(generation: string | undefined, key: string): number | undefined;
  set(generation: string | undefined, key: string, count: number): void;
};

const MAX_AGE_MS = 60_000;
const MAX_COUNTS = 50_000;

export function createCounts(): Counts {
  const counts = new LRUCache<string, number>({ max: MAX_COUNTS, ttl: MAX_AGE_MS });
  return {
    get: (generation, key) => (generation === undefined ? undefined : counts.get(`${generation} ${key}`)),
    set(generation, key, count) {
      if (generation !== undefined) counts.set(`${generation} ${key}`, count);
    },
  };
}
