import { leftEarly } from "../errors/api-error.ts";
import type { Cacheable, Generation } from "../serve/generation.ts";
import type { ValidatedCache } from "./validated-cache.ts";

/** Computes a value. `left` aborts when all who wait for it have left. */
type Compute<T> = (left: AbortSignal) => Promise<Cacheable<T>>;

/**
 * Caches the value of a key. While it is being computed, all callers in the same generation wait for the same computation, which is
 * cancelled when all of them have left. A value that needs renewal is returned at once, and renewed in the background. Thrown errors
 * are not cached. What `compute` throws at once, not as a promise, goes to its own caller alone. `left` aborts when the caller leaves;
 * without it, the caller stays to the end.
 */
export type SingleFlight<T> = {
  (generation: Generation | undefined, key: string, compute: Compute<T>, left?: AbortSignal): Promise<T>;
  /**
   * The cached value, without waiting for a computation under way. Undefined when the value needs renewal and no renewal has begun: then
   * the caller has to ask for it.
   */
  cached: ValidatedCache<T>["get"];
  /** The value that was computed last, whatever has changed since. */
  recent: ValidatedCache<T>["recent"];
};

/** A computation under way, and how many wait for it. */
type Flight<T> = { generation: Generation; value: Promise<T>; callers: number; cancel: AbortController };

export function createSingleFlight<T>(cache: ValidatedCache<T>): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  /** The computation of a value, shared by all callers in this generation. */
  const flightOf = (generation: Generation, key: string, compute: Compute<T>): Flight<T> => {
    const there = flights.get(key);
    if (there?.generation === generation) return there;
    const begunAt = performance.now();
    const cancel = new AbortController();
    const computing = compute(cancel.signal);
    const value = computing
      .then((result) => {
        cache.set(generation, key, result, begunAt);
        return result.value;
      })
      .finally(() => forget(key, flight));
    const flight: Flight<T> = { generation, value, callers: 0, cancel };
    flights.set(key, flight);
    return flight;
  };
  const forget = (key: string, flight: Flight<T>) => {
    if (flights.get(key) === flight) flights.delete(key);
  };
  /** Counts a caller of a flight until it leaves. */
  const join = (key: string, flight: Flight<T>, left: AbortSignal | undefined) => {
    flight.callers++;
    const leave = () => {
      if (--flight.callers > 0) return;
      // Whoever comes now begins anew.
      forget(key, flight);
      flight.cancel.abort();
    };
    left?.addEventListener("abort", leave, { once: true });
  };
  const shouldBeginRenewal = (key: string) => cache.needsRenewal(key) && !flights.has(key);

  const singleFlight = async (
    generation: Generation | undefined,
    key: string,
    compute: Compute<T>,
    left?: AbortSignal,
  ): Promise<T> => {
    if (!generation) return (await compute(left ?? new AbortController().signal)).value;
    const cached = cache.get(generation, key);
    if (cached === undefined) {
      if (left?.aborted) throw leftEarly(left.reason);
      const flight = flightOf(generation, key, compute);
      join(key, flight, left);
      return flight.value;
    }
    // When it fails, the value still needs renewal, and the next request tries again.
    if (shouldBeginRenewal(key)) renew(generation, key, compute).catch(() => {});
    return cached;
  };
  /** Nobody waits for a renewal, and nobody who leaves ends it. */
  const renew = async (generation: Generation, key: string, compute: Compute<T>): Promise<void> => {
    const flight = flightOf(generation, key, compute);
    join(key, flight, undefined);
    await flight.value;
  };
  return Object.assign(singleFlight, {
    cached: (generation: Generation | undefined, key: string) =>
      shouldBeginRenewal(key) ? undefined : cache.get(generation, key),
    recent: (key: string) => cache.recent(key),
  });
}
