import { LRUCache } from "lru-cache";

const MAX_REQUESTS = 5000;
/** Letters of the keys: of one request, and of all that are remembered. */
const MAX_LENGTH = 2048;
const MAX_LENGTHS = 2_000_000;

/** What is known of requests that were made before, by what was sent, letter for letter. Long ones are not asked for often. */
export type KnownRequests<T> = {
  get(key: string): T | undefined;
  /** Returns whether it is remembered: not when the key is too long. */
  set(key: string, known: T): boolean;
};

/** The least recently used go when there are too many, or when their keys together are too long. */
export function createKnownRequests<T extends object>(): KnownRequests<T> {
  const known = new LRUCache<string, T>({
    max: MAX_REQUESTS,
    maxSize: MAX_LENGTHS,
    maxEntrySize: MAX_LENGTH,
    sizeCalculation: (_known, key) => key.length,
  });
  return { get: (key) => known.get(key), set: (key, value) => known.set(key, value).has(key) };
}
