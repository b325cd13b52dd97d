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

/**
 * `madeBy`: when it was finished, by performance.now(). `watch` as JSON: a tree of small objects would be gone through by each
 * collection of garbage for as long as it is kept, and it is hardly ever looked at.
 */
type Entry<T> = { value: T; generation: Generation; watch: string | undefined; madeBy: number };

/** What an entry takes beside its value. */
const ENTRY_BYTES = 300;

/**
 * The least recently used go when they take more than `maxBytes`, where `bytesOf` says what a value takes, if anything to speak of.
 * `goOn` makes of a value what it is after so many more documents came to those that were looked at than left them; without it,
 * coming and leaving ends it.
 */
export function createKept<T>(
  { maxBytes, bytesOf = () => 0 }: { maxBytes: number; bytesOf?: (value: T) => number },
  goOn?: (value: T, gained: number) => T,
): Kept<T> {
  const entries = new LRUCache<string, Entry<T>>({
    maxSize: maxBytes,
    sizeCalculation: ({ value, watch = "" }, key) => ENTRY_BYTES + key.length + watch.length + bytesOf(value),
  });
  /** What a value is in the last generation; undefined where it has to be made again. */
  const broughtOn = (history: History, { value, generation, watch: text, madeBy }: Entry<T>): T | undefined => {
    if (text === undefined) return undefined;
    const watch = JSON.parse(text) as Watch;
    if (!goOn) return history.keeps(generation, watch) ? value : undefined;
    const gained = history.gained(generation, madeBy, watch.filters);
    return gained === undefined ? undefined : goOn(value, gained);
  };
  return {
    get(generation, key) {
      const entry = generation && entries.get(key);
      if (!entry || performance.now() - entry.madeBy > MAX_AGE_MS) return undefined;
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
      entries.set(key, { value, generation, watch: watch && JSON.stringify(watch), madeBy: performance.now() });
    },
  };
}
