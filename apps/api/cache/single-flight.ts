import type { Cacheable, Generation } from "../serve/generation.ts";
import type { ValidatedCache } from "./validated-cache.ts";

/**
 * Caches the value of a key. While it is being computed, all callers in the same generation wait for the same computation.
 * A value that needs renewal is returned at once, and renewed in the background. Thrown errors are not cached.
 */
export type SingleFlight<T> = {
  (generation: Generation | undefined, key: string, compute: () => Promise<Cacheable<T>>): Promise<T>;
  /**
   * The cached value, without waiting for a computation under way. Undefined when the value needs renewal and no renewal has begun: then
   * the caller has to ask for it.
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
      const begunAt = performance.now();
      const result = await compute();
      cache.set(generation, key, result, begunAt);
      return result.value;
    } finally {
      if (flights.get(key)?.generation === generation) flights.delete(key);
    }
  };
  const shouldBeginRenewal = (key: string) => cache.needsRenewal(key) && !flights.has(key);

  const singleFlight = async (
    generation: Generation | undefined,
    key: string,
    compute: () => Promise<Cacheable<T>>,
  ): Promise<T> => {
    if (!generation) return (await compute()).value;
    const cached = cache.get(generation, key);
    if (cached === undefined) return flightOf(generation, key, compute);
    // When it fails, the value still needs renewal, and the next request tries again.
    if (shouldBeginRenewal(key)) flightOf(generation, key, compute).catch(() => {});
    return cached;
  };
  return Object.assign(singleFlight, {
    cached: (generation: Generation | undefined, key: string) =>
      shouldBeginRenewal(key) ? undefined : cache.get(generation, key),
  });
}
