import type { Dependencies, Generation } from "./change-log.ts";
import type { ValidatedCache } from "./validated-cache.ts";

/** A value and what it was computed from. Without `dependencies` any change makes it stale. */
export type Cacheable<T> = { value: T; dependencies?: Dependencies | undefined };

/**
 * Caches what is computed for a key. While it is being computed, all who ask in the same generation wait for the same computation.
 * Errors are not cached.
 */
export type SingleFlight<T> = {
  (generation: Generation | undefined, key: string, compute: () => Promise<Cacheable<T>>): Promise<T>;
  /** What is cached, without waiting for a computation under way. */
  cached: ValidatedCache<T>["get"];
};

export function createSingleFlight<T>(cache: ValidatedCache<T>): SingleFlight<T> {
  const flights = new Map<string, { generation: Generation; value: Promise<T> }>();

  const start = async (generation: Generation, key: string, compute: () => Promise<Cacheable<T>>): Promise<T> => {
    try {
      const { value, dependencies } = await compute();
      cache.set(generation, key, value, dependencies);
      return value;
    } finally {
      if (flights.get(key)?.generation === generation) flights.delete(key);
    }
  };
  const singleFlight = async (
    generation: Generation | undefined,
    key: string,
    compute: () => Promise<Cacheable<T>>,
  ): Promise<T> => {
    if (!generation) return (await compute()).value;
    const cached = cache.get(generation, key);
    if (cached !== undefined) return cached;
    const flight = flights.get(key);
    if (flight?.generation === generation) return flight.value;
    const value = start(generation, key, compute);
    flights.set(key, { generation, value });
    return value;
  };
  return Object.assign(singleFlight, {
    cached: (generation: Generation | undefined, key: string) => cache.get(generation, key),
  });
}
