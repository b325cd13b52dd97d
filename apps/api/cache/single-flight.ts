import type { Dependencies, Generation } from "./change-log.ts";
import type { ValidatedCache } from "./validated-cache.ts";

/** A value and what it was computed from. Without `dependencies` any change makes it stale. */
export type Cacheable<T> = { value: T; dependencies?: Dependencies | undefined };

/**
 * Caches the value of a key. While it is being computed, all callers in the same generation wait for the same computation.
 * Nobody waits for a value that is only due: it is used until it is computed again. Thrown errors are not cached.
 */
export type SingleFlight<T> = {
  (generation: Generation | undefined, key: string, compute: () => Promise<Cacheable<T>>): Promise<T>;
  /**
   * The cached value, without waiting for a computation under way. Undefined when the value is due and nobody computes it yet: then the
   * caller has to ask for a computation.
   */
  cached: ValidatedCache<T>["get"];
};

export function createSingleFlight<T>(cache: ValidatedCache<T>): SingleFlight<T> {
  const flights = new Map<string, { generation: Generation; value: Promise<T> }>();

  /** The computation of a value, shared by all callers in this generation. */
  const flightOf = (generation: Generation, key: string, compute: () => Promise<Cacheable<T>>): Promise<T> => {
    const flight = flights.get(key);
    if (flight?.generation === generation) return flight.value;
    const value = computed(generation, key, compute);
    flights.set(key, { generation, value });
    return value;
  };
  const computed = async (generation: Generation, key: string, compute: () => Promise<Cacheable<T>>): Promise<T> => {
    try {
      const { value, dependencies } = await compute();
      cache.set(generation, key, value, dependencies);
      return value;
    } finally {
      if (flights.get(key)?.generation === generation) flights.delete(key);
    }
  };
  const isUnattended = (key: string) => cache.isDue(key) && !flights.has(key);

  const singleFlight = async (
    generation: Generation | undefined,
    key: string,
    compute: () => Promise<Cacheable<T>>,
  ): Promise<T> => {
    if (!generation) return (await compute()).value;
    const cached = cache.get(generation, key);
    if (cached === undefined) return flightOf(generation, key, compute);
    // When it fails, the value stays due, and the next request tries again.
    if (isUnattended(key)) flightOf(generation, key, compute).catch(() => {});
    return cached;
  };
  return Object.assign(singleFlight, {
    cached: (generation: Generation | undefined, key: string) =>
      isUnattended(key) ? undefined : cache.get(generation, key),
  });
}
