import { LRUCache } from "lru-cache";
import type { Cacheable, Dependencies, Generation, KnownChanges } from "../serve/generation.ts";

/** No entry is used for longer than this after Elasticsearch has confirmed it, whatever the change log says. */
const MAX_AGE_MS = 60_000;
/** From this age on, an entry is used, and computed again meanwhile. */
const RENEWAL_AGE_MS = 50_000;

/**
 * A cache whose entries are validated by a change log: a value is returned only in a generation in which nothing that it depends on
 * has changed. Without a generation nothing is cached.
 */
export type ValidatedCache<T> = {
  get(generation: Generation | undefined, key: string): T | undefined;
  /** The value that was computed last, whatever has changed since: for guesses. */
  recent(key: string): T | undefined;
  /** Whether there is an entry that will soon be too old: computing it now saves others the wait. */
  needsRenewal(key: string): boolean;
  /**
   * Without `dependencies` the value is valid in its generation only. `begunAt`: when its computation began, by performance.now().
   */
  set(generation: Generation | undefined, key: string, value: Cacheable<T>, begunAt: number): void;
};

/**
 * Times by performance.now(). `dependencies` are kept as JSON, because the garbage collector would traverse a tree of small objects
 * again and again, and they are rarely read.
 */
type Entry<T> = {
  value: T;
  generation: Generation;
  dependencies: string | undefined;
  begunAt: number;
  storedAt: number;
};

/** The memory of an entry beside its value. */
const ENTRY_BYTES = 300;

/**
 * Evicts the least recently used entries above `maxBytes`. `bytesOf`: the size of a value, 0 by default.
 * `adjust` corrects a value when documents have come to the filtered set or left it: `gained` is the difference. Without it, such a
 * change makes the value stale.
 */
export function createValidatedCache<T>(
  { maxBytes, bytesOf = () => 0 }: { maxBytes: number; bytesOf?: (value: T) => number },
  adjust?: (value: T, gained: number) => T,
): ValidatedCache<T> {
  const entries = new LRUCache<string, Entry<T>>({
    maxSize: maxBytes,
    sizeCalculation: ({ value, dependencies = "" }, key) =>
      ENTRY_BYTES + key.length + dependencies.length + bytesOf(value),
  });
  /** The value in the last generation; undefined when it has to be computed again. */
  const revalidated = (
    log: KnownChanges,
    { value, generation, dependencies: json, storedAt }: Entry<T>,
  ): T | undefined => {
    if (json === undefined) return undefined;
    const dependencies = JSON.parse(json) as Dependencies;
    if (!adjust) return log.isStillValid(generation, dependencies) ? value : undefined;
    const gained = log.gained(generation, storedAt, dependencies.filters);
    return gained === undefined ? undefined : adjust(value, gained);
  };
  return {
    get(generation, key) {
      const entry = generation && entries.get(key);
      if (!entry || ageOf(entry) > MAX_AGE_MS) return undefined;
      const { log } = generation;
      if (entry.generation === log.last) return entry.value;
      const value = revalidated(log, entry);
      if (value !== undefined) [entry.value, entry.generation] = [value, log.last!];
      return value;
    },
    recent(key) {
      const entry = entries.get(key);
      return entry && ageOf(entry) <= MAX_AGE_MS ? entry.value : undefined;
    },
    needsRenewal(key) {
      const entry = entries.peek(key);
      return entry !== undefined && ageOf(entry) > RENEWAL_AGE_MS;
    },
    set(generation, key, { value, dependencies }, begunAt) {
      if (!generation) return;
      const existing = entries.peek(key);
      // A slower computation may have begun in an earlier generation.
      if (existing && existing.generation.number > generation.number) return;
      const json = dependencies && JSON.stringify(dependencies);
      entries.set(key, { value, generation, dependencies: json, begunAt, storedAt: performance.now() });
    },
  };
}

/** The age of an entry: the time since Elasticsearch last confirmed that nothing had changed, in ms. */
function ageOf({ begunAt, storedAt, generation }: Entry<unknown>): number {
  return performance.now() - Math.max(storedAt, generation.log.unchangedUntil(begunAt));
}
