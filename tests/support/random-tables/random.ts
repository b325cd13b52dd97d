export type Random = {
  below: (limit: number) => number;
  pick: <T>(from: readonly T[]) => T;
  chance: (share: number) => boolean;
};

/** Numbers that a seed decides. */
export function randomOf(seed: number): Random {
  let state = seed + 0x6d2b79f5;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (from) => from[below(from.length)]!, chance: (share) => next() < share };
}

export function shuffle<T>(random: Random, items: T[]): void {
  for (let index = items.length - 1; index > 0; index--) {
    const other = random.below(index + 1);
    [items[index], items[other]] = [items[other]!, items[index]!];
  }
}
