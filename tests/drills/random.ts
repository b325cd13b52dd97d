/** Numbers that are the same for the same seed. */
export type Random = {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  /** Whether something of this probability happens. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
};

/** mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)]!,
    shuffled(items) {
      const mixed = [...items];
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
      }
      return mixed;
    },
  };
}
