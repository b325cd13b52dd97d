import { LRUCache } from "lru-cache";

const MAX_REQUESTS = 5000;
/** Characters of one key, and of all keys. */
const MAX_LENGTH = 2048;
const MAX_TOTAL_LENGTH = 2_000_000;

/** A cache by what was sent, byte for byte. Long requests are rarely repeated, so they are not cached. */
type RequestCache<T> = {
  get(key: string): T | undefined;
  /** Returns false when the key is too long to be cached. */
  set(key: string, value: T): boolean;
};

/** Evicts the least recently used entries when there are too many, or when their keys are too long together. */
export function createRequestCache<T extends object>(): RequestCache<T> {
  const entries = new LRUCache<string, T>({
    max: MAX_REQUESTS,
    maxSize: MAX_TOTAL_LENGTH,
    maxEntrySize: MAX_LENGTH,
    sizeCalculation: (_value, key) => key.length,
  });
  return { get: (key) => entries.get(key), set: (key, value) => entries.set(key, value).has(key) };
}
