import { LRUCache } from "lru-cache";
import type { Generation, Watch } from "./history.ts";

/** Whatever the generations say, nothing is believed for longer than this. */
const MAX_AGE_MS = 60_000;

/**
 * What was made, for as long as it would be made the same again: it is given only for a generation in which nothing changed that it
 * was made of. Without a generation nothing is kept.
 */
export type Kept<T> = {
  get(generation: Generation | undefined, key: string): T | undefined;
  /** Without `watch` it is of its generation alone. */
  set(generation: Generation | undefined, key: string, value: T, watch: Watch | undefined): void;
};

type Entry<T> = { value: T; generation: Generation; watch: Watch | undefined };

/** The least recently used go when there are more than `max`, or when they take more than `maxBytes` as `bytesOf` says of each. */
export function createKept<T>(bounds: { max: number } | { maxBytes: number; bytesOf: (value: T) => number }): Kept<T> {
  const entries = new LRUCache<string, Entry<T>>({
    ...("max" in bounds
      ? { max: bounds.max }
      : {
          maxSize: bounds.maxBytes,
          sizeCalculation: ({ value, watch }: Entry<T>, key: string) =>
            2 * key.length + bounds.bytesOf(value) + 100 * (1 + (watch?.ids.length ?? 0)),
        }),
    ttl: MAX_AGE_MS,
    // The clock is not read for every look.
    ttlResolution: 100,
  });
  return {
    get(generation, key) {
      const entry = generation && entries.get(key);
      if (!entry) return undefined;
      const { last } = generation.history;
      if (entry.generation !== last) {
        if (!entry.watch || !generation.history.keeps(entry.generation, entry.watch)) return undefined;
        entry.generation = last!;
      }
      return entry.value;
    },
    set(generation, key, value, watch) {
      if (!generation) return;
      const there = entries.peek(key);
      // What took longer to make may be of before.
      if (there && there.generation.number > generation.number) return;
      entries.set(key, { value, generation, watch });
    },
  };
}
