import { LRUCache } from "lru-cache";
import type { Generation, History, Watch } from "./history.ts";

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

/** `madeBy`: when it was finished, by performance.now(). */
type Entry<T> = { value: T; generation: Generation; watch: Watch | undefined; madeBy: number };

/**
 * The least recently used go when there are more than `max`, or when they take more than `maxBytes` as `bytesOf` says of each.
 * `goOn` makes of a value what it is after so many more documents came to those that were looked at than left them; without it,
 * coming and leaving ends it.
 */
export function createKept<T>(
  bounds: { max: number } | { maxBytes: number; bytesOf: (value: T) => number },
  goOn?: (value: T, gained: number) => T,
): Kept<T> {
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
  /** What a value is in the last generation; undefined where it has to be made again. */
  const broughtOn = (history: History, { value, generation, watch, madeBy }: Entry<T>): T | undefined => {
    if (!watch) return undefined;
    if (!goOn) return history.keeps(generation, watch) ? value : undefined;
    const gained = history.gained(generation, madeBy, watch.filters);
    return gained === undefined ? undefined : goOn(value, gained);
  };
  return {
    get(generation, key) {
      const entry = generation && entries.get(key);
      if (!entry) return undefined;
      const { history } = generation;
      if (entry.generation === history.last) return entry.value;
      const value = broughtOn(history, entry);
      if (value !== undefined) [entry.value, entry.generation] = [value, history.last!];
      return value;
    },
    set(generation, key, value, watch) {
      if (!generation) return;
      const there = entries.peek(key);
      // What took longer to make may be of before.
      if (there && there.generation.number > generation.number) return;
      entries.set(key, { value, generation, watch, madeBy: performance.now() });
    },
  };
}
