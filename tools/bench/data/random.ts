import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Draws that are the same for the same seed, on every machine. */
export type Random = {
  /** 0 inclusive to 1 exclusive. */
  share(): number;
  /** 0 inclusive to `below` exclusive. */
  below(below: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
};

export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const share = () => uniformFloat64(generator);
  return {
    share,
    below: (below) => uniformInt(generator, 0, below - 1),
    chance: (probability) => share() < probability,
    pick: (items) => items[uniformInt(generator, 0, items.length - 1)]!,
  };
}

/** Draws positions 0 to weights.length - 1, each as often as its weight says. */
export function weighted(weights: readonly number[]): (random: Random) => number {
  const sums: number[] = [];
  let sum = 0;
  for (const weight of weights) sums.push((sum += weight));
  return (random) => {
    const at = random.share() * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > at) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** A long tail: position r is drawn in proportion to 1 / (r + 1) ^ exponent. */
export function zipf(size: number, exponent = 1): (random: Random) => number {
  return weighted(zipfWeights(size, exponent));
}

export function zipfWeights(size: number, exponent = 1): number[] {
  return Array.from({ length: size }, (_, rank) => 1 / (rank + 1) ** exponent);
}
