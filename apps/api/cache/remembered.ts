import { LRUCache } from "lru-cache";

/** Whatever the generations say, nothing is believed for longer than this. */
const MAX_AGE_MS = 60_000;

/**
 * Remembers what was made for a key of a generation; while it is being made, everybody who asks waits for the same making.
 * What fails is not remembered. Without a generation nothing is.
 */
export type Remembered<T> = {
  (generation: string | undefined, key: string, make: () => Promise<T>): Promise<T>;
  /** What is there already, without waiting for what is being made. */
  finished(entryKey: string | undefined): T | undefined;
};

/** Where the entry of a key is. Who keeps it finds the entry with less work: what was looked for once is not hashed again. */
export const entryKeyOf = (generation: string | undefined, key: string): string | undefined =>
  generation === undefined ? undefined : `${generation} ${key}`;

/** `bytesOf` says how much an entry takes beside its key; the least recently used go when there are more than `maxBytes`. */
export function createRemembered<T extends object>(options: {
  maxBytes: number;
  bytesOf: (value: T) => number;
}): Remembered<T> {
  const entries = new LRUCache<string, T, () => Promise<T>>({
    maxSize: options.maxBytes,
    ttl: MAX_AGE_MS,
    // The clock is not read for every look.
    ttlResolution: 100,
    sizeCalculation: (value, key) => Math.max(1, 2 * key.length + options.bytesOf(value)),
    fetchMethod: (_key, _stale, { context }) => context(),
  });
  const remembered = async (generation: string | undefined, key: string, make: () => Promise<T>) => {
    const entryKey = entryKeyOf(generation, key);
    if (entryKey === undefined) return make();
    const value = await entries.fetch(entryKey, { context: make });
    // Gone only if it was thrown out while it was made.
    return value ?? make();
  };
  return Object.assign(remembered, {
    finished: (entryKey: string | undefined) => (entryKey === undefined ? undefined : entries.get(entryKey)),
  });
}
